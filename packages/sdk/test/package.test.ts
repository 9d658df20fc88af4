import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

test('the package needs no other one, runs in browsers and stays below 8 kB', async () => {
  // For a browser esbuild refuses every import of Node's own modules.
  const { outputFiles } = await build({
    entryPoints: [new URL('../src/index.ts', import.meta.url).pathname],
    platform: 'browser',
    format: 'esm',
    bundle: true,
    minify: true,
    write: false,
  })
  expect(gzipSync(outputFiles[0]?.contents ?? '').byteLength).toBeLessThan(8_192)
  expect(Object.keys(manifest)).not.toContain('dependencies')
})
