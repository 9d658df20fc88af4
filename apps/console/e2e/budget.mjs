/** Bytes that the first route loads, as they travel. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openPage, signIn } from './browser.mjs'
import { root } from './server.mjs'

const kB = 1_000
const most = { first: 200 * kB, lazy: 60 * kB, styles: 40 * kB }
const assets = join(root, 'dist/console/assets')
const packed = (name) => statSync(join(assets, `${name}.gz`)).size

export async function budget(browser, { address, account }, checks) {
  const { page, context } = await openPage(browser, address)
  const loaded = new Set()
  page.on('response', (response) => {
    const [, name] = /\/assets\/([^/]+\.(?:js|css))$/.exec(response.url()) ?? []
    if (name !== undefined) loaded.add(name)
  })
  await signIn(page, account)
  const scripts = [...loaded].filter((name) => name.endsWith('.js'))
  const first = scripts.reduce((sum, name) => sum + packed(name), 0)
  checks.expect(
    `the first route is at most ${most.first / kB} kB`,
    first > 0 && first <= most.first,
    `(${first} bytes)`,
  )
  const others = readdirSync(assets).filter((name) => name.endsWith('.js') && !loaded.has(name))
  for (const name of others) checks.expect(`${name} is at most ${most.lazy / kB} kB`, packed(name) <= most.lazy)
  const styles = readdirSync(assets).filter((name) => name.endsWith('.css'))
  checks.expect('styles fit', styles.reduce((sum, name) => sum + packed(name), 0) <= most.styles)
  console.log(`first route: ${(first / kB).toFixed(1)} kB of scripts, packed`)
  await context.close()
}
