/** The console's build: files with digests in their names and one page, all to dist/console, which the server serves. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  root: path('.'),
  cacheDir: path('../../node_modules/.cache/vite-console'),
  resolve: { alias: { '@parapet/sdk': path('../../packages/sdk/src/index.ts') } },
  // The server writes a nonce of its own into each answer.
  html: { cspNonce: '__PARAPET_NONCE__' },
  build: {
    outDir: path('../../dist/console'),
    emptyOutDir: true,
    // Nothing may be inlined: the content policy loads files alone.
    assetsInlineLimit: 0,
    target: 'es2022',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      onwarn: (warning, tell) => {
        // Packages mark files for servers that render; here everything runs in the browser.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') tell(warning)
      },
    },
  },
  // `npm run dev` beside a server that runs: its API and its socket are reached through this one.
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/ws', '/openapi.json', '/errors'].map((prefix) => [
        prefix,
        { target: 'http://127.0.0.1:8080', ws: prefix === '/ws' },
      ]),
    ),
  },
})
