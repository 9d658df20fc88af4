// Builds the console into dist/console and packs its files, so that the server sends them as they are. Needs no network.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

await build({ configFile: join(root, 'apps/console/vite.config.ts'), logLevel: 'warn' })
const assets = join(root, 'dist/console/assets')
for (const name of readdirSync(assets))
  writeFileSync(join(assets, `${name}.gz`), gzipSync(readFileSync(join(assets, name)), { level: 9 }))
