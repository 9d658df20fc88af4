// Reads a price file of another gateway and prints it in our form, or sets these prices for the models of a tenant.
//   node scripts/import-prices.mjs litellm model_prices_and_context_window.json > prices.json
//   node scripts/import-prices.mjs portkey openai.json --provider openai --checked-at 2026-10-01
//   PARAPET_API_KEY=… node scripts/import-prices.mjs litellm FILE --apply https://gateway.example
// Prices that our form cannot express are named on the error output and left out.
import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { tsImport } from 'tsx/esm/api'

const money = '../apps/server/src/modules/gateway/prices'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { provider: { type: 'string' }, 'checked-at': { type: 'string' }, apply: { type: 'string' } },
})
const [form, file] = positionals
if ((form !== 'litellm' && form !== 'portkey') || file === undefined || (form === 'portkey' && !values.provider)) {
  console.error(
    'usage: import-prices.mjs litellm|portkey FILE [--provider KIND] [--checked-at YYYY-MM-DD] [--apply URL]',
  )
  process.exit(2)
}

const checkedAt = values['checked-at'] ?? statSync(file).mtime.toISOString().slice(0, 10)
const { prices, skipped } = await read(JSON.parse(readFileSync(file, 'utf8')))
for (const line of skipped) console.error(`left out: ${line}`)
console.error(`${prices.length} prices, ${skipped.length} models left out`)
if (values.apply === undefined) console.log(JSON.stringify(prices, null, 2))
else await apply(values.apply.replace(/\/+$/, ''))

async function read(map) {
  if (form === 'litellm') {
    const { readLiteLlm } = await tsImport(`${money}/import/litellm.ts`, import.meta.url)
    return readLiteLlm(map, { checkedAt })
  }
  const { readPortkey } = await tsImport(`${money}/import/portkey.ts`, import.meta.url)
  return readPortkey(map, { provider: values.provider, checkedAt })
}

/** Sets the price of every model of the catalogue that the file names for the kind of its provider. */
async function apply(base) {
  const { createPriceBook } = await tsImport(`${money}/price-book.ts`, import.meta.url)
  const book = createPriceBook(prices, [])
  const kinds = new Map((await pages(`${base}/api/v1/gateway/providers`)).map(({ id, kind }) => [id, kind]))
  for (const model of await pages(`${base}/api/v1/gateway/models`)) {
    const price = book.shipped(
      { kind: kinds.get(model.provider_id) ?? '', model: model.name },
      new Date().toISOString(),
    )
    if (price === null) continue
    await call('PATCH', `${base}/api/v1/gateway/models/${model.id}`, { price: price.sheet })
    console.error(`set: ${model.key}`)
  }
}

async function pages(address) {
  const items = []
  for (let cursor = null; ; ) {
    const { data, meta } = await call('GET', `${address}?limit=200${cursor === null ? '' : `&cursor=${cursor}`}`)
    items.push(...data)
    if (!meta.pagination.has_more) return items
    cursor = encodeURIComponent(meta.pagination.cursor)
  }
}

async function call(method, address, body) {
  const headers = { 'x-api-key': process.env.PARAPET_API_KEY ?? '', 'content-type': 'application/json' }
  const answer = await fetch(address, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${address} answered ${answer.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}
