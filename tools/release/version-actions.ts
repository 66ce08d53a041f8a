import { VersionActions } from 'nx/release';
import type { Tree } from 'nx/src/generators/tree.js';

interface Manifest {
  version: string;
}

interface Lock {
  packages: Record<string, Manifest>;
}

/**
 * Reads and writes versions for nx release, in package.json of a unit and in package-lock.json. The actions of @nx/js
 * need a TypeScript API that TypeScript 7 does not have, query the registry, and run npm install.
 */
export default class WorkspaceVersionActions extends VersionActions {
  validManifestFilenames = ['package.json'];

  get #folder(): string {
    return this.projectGraphNode.data.root;
  }

  readCurrentVersionFromSourceManifest(tree: Tree): Promise<{ currentVersion: string; manifestPath: string }> {
    const manifestPath = `${this.#folder}/package.json`;
    const { version } = JSON.parse(tree.read(manifestPath, 'utf8') as string) as Manifest;
    return Promise.resolve({ currentVersion: version, manifestPath });
  }

  readCurrentVersionFromRegistry(): Promise<never> {
    return Promise.reject(new Error('versions are in the package.json files'));
  }

  /** Workspaces depend on each other by "*". */
  readCurrentVersionOfDependency(): Promise<{ currentVersion: null; dependencyCollection: null }> {
    return Promise.resolve({ currentVersion: null, dependencyCollection: null });
  }

  updateProjectVersion(tree: Tree, newVersion: string): Promise<string[]> {
    const manifestPath = `${this.#folder}/package.json`;
    const manifest = JSON.parse(tree.read(manifestPath, 'utf8') as string) as Manifest;
    const lock = JSON.parse(tree.read('package-lock.json', 'utf8') as string) as Lock;
    const locked = lock.packages[this.#folder];
    if (!locked) throw new Error(`package-lock.json does not know ${this.#folder}: run npm install`);
    manifest.version = newVersion;
    locked.version = newVersion;
    tree.write(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
    tree.write('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
    return Promise.resolve([`${newVersion} in ${manifestPath}`]);
  }

  updateProjectDependencies(): Promise<string[]> {
    return Promise.resolve([]);
  }
}
