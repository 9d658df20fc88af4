/**
 * Reads `multipart/form-data` (RFC 7578) with one file as it comes. Promises that nothing but the fields is held in
 * memory, and that a body that names one field twice, has a second file or ends too early is refused. Tested in
 * test/kernel/uploads.test.ts.
 */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { apiErrors } from '../../errors/errors.ts'
import { ProblemError } from '../../errors/problem.ts'
import { isStorableText } from '../../schema/storable-text.ts'
import { forbiddenNames } from './json-body.ts'

export interface FilePart {
  readonly mediaType: string
  readonly name: string | null
  readonly content: AsyncIterable<Uint8Array>
}

export interface Multipart<T> {
  readonly fields: Readonly<Record<string, string>>
  readonly file: T
}

/** One part more than is allowed of each, so that it is seen and refused instead of left out. */
const limits = { files: 2, fields: 101, parts: 102, fieldSize: 65_536, fieldNameSize: 100, headerPairs: 20 } as const
const longestName = 255

/** @throws API-001, and the errors of `store` */
export async function readMultipart<T>(
  payload: Readable,
  contentType: string,
  store: (part: FilePart) => Promise<T>,
): Promise<Multipart<T>> {
  const busboy = parserOf(contentType)
  const fields = new Map<string, string>()
  const stored: Promise<T>[] = []
  const refuse = (problem: unknown): void => void busboy.destroy(problem as Error)
  busboy.on('field', (name, value, nameCut, valueCut) => {
    const wrong = fieldProblem(fields, { name, value, isCut: nameCut || valueCut })
    if (wrong === null) fields.set(name, value)
    else refuse(wrong)
  })
  busboy.on('file', (field, content, name, _encoding, mediaType) => {
    const wrong = fileProblem(field, { name, isSecond: stored.length > 0 })
    if (wrong !== null) return refuse(wrong)
    const storing = store({ mediaType, name: baseName(name), content: endingWith(busboy, content) })
    storing.catch(refuse)
    stored.push(storing)
  })
  try {
    await pipeline(payload, busboy)
  } catch (error) {
    // A file that is being stored ends with its source, and is removed before the answer.
    for (const done of await Promise.allSettled(stored))
      if (done.status === 'rejected' && !(done.reason instanceof SourceBroken)) throw done.reason
    throw error instanceof ProblemError || isCutOff(error) ? error : broken(error)
  }
  const [file] = await Promise.all(stored).catch((error: unknown) => {
    throw error instanceof SourceBroken ? broken(error) : error
  })
  if (file === undefined || stored.length === 0)
    throw invalid('The part `file` is missing.').at([{ detail: 'This part is required.', pointer: '/file' }])
  return { fields: Object.fromEntries(fields), file }
}

function parserOf(contentType: string): BusboyInstance {
  try {
    const headers: BusboyHeaders = { 'content-type': contentType }
    return new Busboy({
      headers,
      limits,
      isPartAFile: (field, type, name) => name !== undefined || field === 'file' || type === 'application/octet-stream',
    })
  } catch (error) {
    throw broken(error)
  }
}

/** The file's stream, which ends with an error where the parser does. */
function endingWith(busboy: BusboyInstance, content: BusboyFileStream): AsyncIterable<Uint8Array> {
  // There is no reader yet; a later one gets the same error.
  content.on('error', () => undefined)
  busboy.once('error', (error: unknown) => void content.destroy(error instanceof Error ? error : broken(error)))
  return withSource(content)
}

/** The source of a file ended too early, which is no failure of the store. */
class SourceBroken extends Error {}

async function* withSource(content: BusboyFileStream): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (cause) {
    throw new SourceBroken('The file ended too early', { cause })
  }
}

interface Field {
  readonly name: string
  readonly value: string
  readonly isCut: boolean
}

function fieldProblem(fields: ReadonlyMap<string, string>, { name, value, isCut }: Field): ProblemError | null {
  if (isCut) return invalid(`A field has at most ${limits.fieldSize} bytes and its name ${limits.fieldNameSize}.`)
  if (fields.has(name)) return invalid('A field of the form stands twice.')
  if (fields.size === limits.fields - 1) return invalid(`The form has more than ${limits.fields - 1} fields.`)
  if (forbiddenNames.has(name)) return invalid('The form has a field with a forbidden name.')
  return isStorableText(name) && isStorableText(value) ? null : invalid('The form holds text that cannot be stored.')
}

function fileProblem(
  field: string,
  { name, isSecond }: { readonly name: string | undefined; readonly isSecond: boolean },
): ProblemError | null {
  if (isSecond) return invalid('The body has more than one file.')
  if (field !== 'file') return invalid('The file has to be the part `file`.')
  if (name === undefined) return null
  return isStorableText(name) && name.length <= longestName
    ? null
    : invalid(`The name of a file has at most ${longestName} characters.`)
}

/** Without the folders that some clients tell. */
function baseName(name: string | undefined): string | null {
  const base = (name ?? '').split(/[/\\]/).at(-1)?.trim() ?? ''
  return base === '' || base === '.' || base === '..' ? null : base
}

const invalid = (what: string): ProblemError => apiErrors.validation({ what })
const broken = (cause: unknown): ProblemError => invalid('The body is not valid multipart/form-data.').causedBy(cause)

/** The client went away; there is no one to answer. */
const isCutOff = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
