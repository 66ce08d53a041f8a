// node deploy/docker/bundle-tools.ts <folder>
//
// Bundles the programs that create secrets into files that need only Node, for the tools image.
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
      // They import the variables of services, and with them unused drivers of databases and brokers.
      treeshake: { moduleSideEffects: (id) => id.includes('reflect-metadata') },
    },
  },
});
