/** OpenVEX: statements about vulnerabilities of products by package URL. Pure. Tested in read-task.test.ts. */
import type { TwinContent, VexStatement } from '../../assets/content.ts'
import type { VexState } from '../../declared/words.ts'
import { ContentFault, type Fields, fieldsAt, listAt, SkippedParts, textOf } from './read.ts'

/** States of OpenVEX as CycloneDX names them. */
const states: Readonly<Record<string, VexState>> = {
  affected: 'exploitable',
  under_investigation: 'in_triage',
  not_affected: 'not_affected',
  fixed: 'resolved',
}

/** @throws ContentFault */
export function readOpenVex(document: unknown): TwinContent {
  const top = fieldsAt(document, '/content')
  if (typeof top['@context'] !== 'string' || !top['@context'].startsWith('https://openvex.dev/ns'))
    throw new ContentFault('/content/@context', 'An OpenVEX file has the context https://openvex.dev/ns.')
  if (!Array.isArray(top.statements)) throw new ContentFault('/content/statements', 'This must be a list.')
  const skipped = new SkippedParts()
  const vex = top.statements.flatMap((value, i) => statementsOf(value, `/content/statements/${i}`, skipped))
  return { assets: [], relations: [], vex, skipped: skipped.all() }
}

function statementsOf(value: unknown, pointer: string, skipped: SkippedParts): VexStatement[] {
  const fields = fieldsAt(value, pointer)
  const state = states[String(fields.status)]
  if (state === undefined)
    throw new ContentFault(`${pointer}/status`, `This must be one of: ${Object.keys(states).join(', ')}.`)
  const id = idOf(fields.vulnerability)
  if (id === null) {
    skipped.add(`${pointer}/vulnerability`, 'The statement names no vulnerability.')
    return []
  }
  return listAt(fields.products, `${pointer}/products`).flatMap((product, j) => {
    const key = productKey(product)
    if (key === null) skipped.add(`${pointer}/products/${j}`, 'The product has no package URL and no SHA-256.')
    return key === null ? [] : [{ key, id, state, pointer: `${pointer}/products/${j}` }]
  })
}

/** The name of version 0.2, or the text of version 0.0.1. */
function idOf(vulnerability: unknown): string | null {
  if (typeof vulnerability === 'object' && vulnerability !== null && 'name' in vulnerability)
    return textOf(vulnerability.name, 64)
  return textOf(vulnerability, 64)
}

function productKey(product: unknown): string | null {
  if (typeof product === 'string') return product.startsWith('pkg:') ? `purl:${product.slice(0, 500)}` : null
  if (typeof product !== 'object' || product === null) return null
  const fields = product as Fields
  const identifiers = (fields.identifiers ?? {}) as Fields
  const hashes = (fields.hashes ?? {}) as Fields
  const purl = [textOf(identifiers.purl, 500), textOf(fields['@id'], 500)].find(
    (one) => one?.startsWith('pkg:') === true,
  )
  if (purl != null) return `purl:${purl}`
  const digest = textOf(hashes['sha-256'], 64)
  return digest === null ? null : `sha256:${digest.toLowerCase()}`
}
