// node deploy/docker/bundle-tools.ts <folder>
// Makes the programs that make secrets into files that need nothing but Node: for the image of tools, and for releases.
import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');

await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    outDir: resolve(process.argv[2] ?? join(root, 'dist')),
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        'compose-secrets': join(root, 'deploy/compose/generate-secrets.ts'),
        'helm-secrets': join(root, 'deploy/helm/generate-secrets.ts'),
      },
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      // They ask services which variables these read. Drivers of databases and brokers come along with that, unused.
      treeshake: { moduleSideEffects: (id) => id.includes('reflect-metadata') },
    },
  },
});
