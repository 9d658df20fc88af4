/**
 * Content of documents when they are indexed: uploaded files from their blobs, pages through the egress guard, facts
 * through their port. Promises that every redirect is checked like the first address. Tested in sources.test.ts.
 */

import { sha256 } from '../../../kernel/crypto/digest.ts'
import { EgressError } from '../../../kernel/egress/errors.ts'
import { tenantEgress } from '../../../kernel/egress/seamed.ts'
import { systemCaller } from '../../../kernel/facts/facts.ts'
import type { JobContext } from '../../../kernel/module/module.ts'
import type { TextPiece } from '../../../kernel/unpack/port.ts'
import type { DocumentRow, SourceRow } from '../declared/source-schema.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { type FileType, typeOfMedia, typeOfName } from './file-types.ts'

/** The source cannot be indexed as it is; the text may be shown. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
}

export interface Content {
  readonly sha256: string
  readonly markdown: boolean
  /** Opens it. @throws UnpackError */
  pieces(): Promise<readonly TextPiece[]>
}

type Context = JobContext<SvcAiServices>

/** @throws SourceFault */
export async function contentOf(context: Context, source: SourceRow, document: DocumentRow): Promise<Content> {
  if (source.kind === 'platform') return factContent(context, document.title)
  if (source.kind === 'url') return fetchedContent(context, source.config.url ?? '')
  const bytes = await blobBytes(context, document.blob_id ?? '')
  return fileContent(context, bytes, typeOfMedia(document.media_type))
}

function fileContent({ kernel }: Context, bytes: Uint8Array, type: FileType | null): Content {
  if (type === null) throw new SourceFault('The document is of a kind that is not read.')
  const { format, markdown } = type
  return { sha256: sha256(bytes), markdown, pieces: async () => (await kernel.unpack.text(format, bytes)).pieces }
}

async function blobBytes({ kernel, tenantId }: Context, id: string): Promise<Uint8Array> {
  const blob = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) => kernel.blobs.open(tx, id))
  const parts: Uint8Array[] = []
  for await (const part of blob.read()) parts.push(part)
  return Buffer.concat(parts)
}

/** Numbers and states, a line each, so that a passage can be quoted. */
async function factContent({ kernel, services, tenantId }: Context, name: string): Promise<Content> {
  const fact = services.facts().all.get(name)
  if (fact === undefined) throw new SourceFault(`The fact ${name} is not there any more.`)
  const { data } = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) =>
    services.facts().read(tx, name, { caller: systemCaller }),
  )
  const text = `${name}\n${fact.description}\n\n${linesOf(data, '').join('\n')}`
  return { sha256: sha256(text), markdown: false, pieces: async () => [{ position: {}, text }] }
}

function linesOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => [...linesOf(item, path), ''])
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) => linesOf(member, path === '' ? name : `${path} ${name}`))
  return [`${path.replaceAll('_', ' ')}: ${String(value)}`]
}

const mostRedirects = 3
const mostFetched = 25 * 1_048_576
const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 30_000 }

async function fetchedContent(context: Context, first: string): Promise<Content> {
  let url = first
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const answer = await fetchOne(context, url)
    const location = answer.headers.location
    if (answer.status >= 300 && answer.status < 400 && typeof location === 'string') {
      answer.cancel()
      if (!URL.canParse(location, url)) throw new SourceFault('The address redirects to one that cannot be read.')
      url = new URL(location, url).href
      continue
    }
    if (answer.status !== 200) {
      answer.cancel()
      throw new SourceFault(`The address answered ${answer.status}.`)
    }
    const type = answer.headers['content-type']
    const bytes = await answer.bytes().catch(asFault)
    const named = typeof type === 'string' ? typeOfMedia(type) : null
    return fileContent(context, bytes, named ?? typeOfName(new URL(url).pathname))
  }
  throw new SourceFault(`The address redirects more than ${mostRedirects} times.`)
}

async function fetchOne({ kernel, tenantId, signal }: Context, url: string) {
  const headers = { accept: 'text/html, text/plain, text/markdown, application/pdf, */*;q=0.1' }
  const egress = tenantEgress(kernel, { tenantId, target: 'svc-ai.source' })
  return egress.fetch({ url, method: 'GET', headers, timeouts, maxBytes: mostFetched, signal }).catch(asFault)
}

function asFault(error: unknown): never {
  if (error instanceof EgressError && error.kind !== 'aborted')
    throw new SourceFault(`The address could not be read (${error.brief}).`)
  throw error
}
