/** Content that comes with a request: checked in form and stored as blobs. Tested in sources.test.ts. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { NewSource } from '../declared/source-schema.ts'
import { errors } from '../errors/errors.ts'
import { extensions, typeOfName } from './file-types.ts'

/** A document that is to be indexed; without a blob its content is fetched then. */
export interface UploadedDocument {
  readonly title: string
  readonly mediaType: string
  readonly blobId: string | null
}

const mostBytes = 20 * 1_048_576
const contentOfKind = { file: 'files', text: 'text', url: 'url', platform: 'facts' } as const

/**
 * Null where a source is indexed again with the content that it has.
 * @throws API-001, API-005, SVC-012, SVC-013
 */
export async function storeContent(
  kernel: Kernel,
  tenantId: TenantId,
  input: NewSource,
): Promise<readonly UploadedDocument[] | null> {
  refuseOtherContent(input)
  const { files, text, url, facts, name } = input
  if (files !== undefined) return storeFiles(kernel, tenantId, files)
  if (text !== undefined) {
    const blobId = await put(kernel, tenantId, Buffer.from(text))
    return [{ title: name, mediaType: 'text/markdown', blobId }]
  }
  if (url !== undefined) {
    const check = kernel.egress.checkUrl(url)
    if (!check.ok) throw errors.urlRefused({ rule: check.rule }).at([{ detail: 'is refused', pointer: '/url' }])
    return [{ title: url.slice(0, 255), mediaType: 'text/html', blobId: null }]
  }
  return facts?.map((fact) => ({ title: fact, mediaType: 'application/json', blobId: null })) ?? null
}

/** @throws API-001 */
function refuseOtherContent(input: NewSource): void {
  const wanted = contentOfKind[input.kind]
  const other = Object.values(contentOfKind).find((member) => member !== wanted && input[member] !== undefined)
  const refusal = (detail: string, pointer: string) =>
    apiErrors.validation({ what: 'The content does not fit the kind of the source.' }).at([{ detail, pointer }])
  if (other !== undefined) throw refusal(`A source of the kind ${input.kind} has no ${other}.`, `/${other}`)
  if (input[wanted] === undefined && input.resync !== true) throw refusal('This is required.', `/${wanted}`)
}

type Files = NonNullable<NewSource['files']>

async function storeFiles(kernel: Kernel, tenantId: TenantId, files: Files): Promise<readonly UploadedDocument[]> {
  const read = files.map((file, at) => readFile(file, at))
  if (read.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) > mostBytes)
    throw apiErrors.tooLarge({ limit: mostBytes })
  const stored: UploadedDocument[] = []
  try {
    for (const { title, mediaType, bytes } of read)
      stored.push({ title, mediaType, blobId: await put(kernel, tenantId, bytes) })
  } catch (error) {
    for (const { blobId } of stored)
      if (blobId !== null) kernel.background('svc-ai.discard', kernel.blobs.discard(tenantId, blobId))
    throw error
  }
  return stored
}

function readFile({ name, content }: Files[number], at: number) {
  const type = typeOfName(name)
  if (type === null)
    throw errors
      .documentRefused({ what: `Files of this kind are not read. Send one of: ${extensions.join(', ')}.` })
      .at([{ detail: 'is of another kind', pointer: `/files/${at}/name` }])
  const bytes = Buffer.from(content, 'base64')
  // Node reads on behind anything that is not base64.
  if (bytes.toString('base64').replace(/={1,2}$/, '') !== content.replace(/={1,2}$/, ''))
    throw apiErrors
      .validation({ what: 'A file is not base64.' })
      .at([{ detail: 'This is not base64.', pointer: `/files/${at}/content` }])
  return { title: name, mediaType: type.mediaType, bytes }
}

async function put(kernel: Kernel, tenantId: TenantId, bytes: Uint8Array): Promise<string> {
  const { id } = await kernel.blobs.put(tenantId, once(bytes), { maxBytes: mostBytes })
  return id
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
