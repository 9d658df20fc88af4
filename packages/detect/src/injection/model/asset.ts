/**
 * The file form of a trained model: magic, length of the header, header as JSON, bytes of the linear heads.
 * Promises that what is loaded is what was trained: format, feature version, shapes and digest are checked before any of
 * it is used. Tested in asset.test.ts.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { audiences, type Calibration, lengthBuckets, scoreAtRate } from './calibration.ts'
import { evidenceNames } from './evidence.ts'
import { buckets, featureVersion } from './features.ts'
import type { Trees } from './trees.ts'
import { headCount, heads, type LinearHeads } from './weights.ts'

export interface InjectionModel {
  /** Version that results name. */
  readonly version: string
  readonly heads: LinearHeads
  readonly trees: Trees
  readonly calibration: Calibration
  /** SHA-256 of the training rows, hexadecimal. */
  readonly trainedOn: string
}

/** A model file that cannot be used; the message says why. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
}

interface Header {
  readonly format: number
  readonly features: number
  readonly version: string
  readonly heads: readonly string[]
  readonly evidence: readonly string[]
  readonly scales: readonly number[]
  readonly biases: readonly number[]
  readonly trees: Trees
  readonly calibration: Calibration
  readonly trainedOn: string
  /** SHA-256 of the rest of the header and the body. */
  readonly sha256: string
}

const magic = utf8ToBytes('PARAPETM')
const format = 2

/** Bytes of a model file. The same model gives the same bytes. */
export function writeModel({ version, heads: linear, trees, calibration, trainedOn }: InjectionModel): Uint8Array {
  const content: Omit<Header, 'sha256'> = {
    format,
    features: featureVersion,
    version,
    heads,
    evidence: evidenceNames,
    scales: linear.scales,
    biases: linear.biases,
    trees,
    calibration,
    trainedOn,
  }
  const body = bytesOf(linear.values)
  const header = utf8ToBytes(JSON.stringify({ ...content, sha256: digestOf(content, body) }))
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, header.length, true)
  return concatBytes(magic, length, header, body)
}

/**
 * Reads a model file.
 * @throws ModelError when it is damaged, of another format or made for other features.
 */
export function readModel(bytes: Uint8Array): InjectionModel {
  const start = magic.length + 4
  if (bytes.length < start || magic.some((byte, i) => bytes[i] !== byte)) throw new ModelError('not a model file')
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(magic.length, true)
  const header = parseHeader(bytes.subarray(start, start + length))
  const body = bytes.subarray(start + length)
  const { sha256: digest, ...content } = header
  if (content.format !== format) throw new ModelError(`format ${content.format}, this version reads ${format}`)
  if (content.features !== featureVersion || !same(content.heads, heads) || !same(content.evidence, evidenceNames))
    throw new ModelError(`made for features ${content.features}, this version computes ${featureVersion}`)
  if (body.length !== buckets * headCount)
    throw new ModelError(`${body.length} weights instead of ${buckets * headCount}`)
  if (digestOf(content, body) !== digest) throw new ModelError('damaged: the digest does not match')
  // A copy whatever was given: the slice of a Node.js buffer is none.
  const values = new Int8Array(new Uint8Array(body).buffer)
  const { version, scales, biases, trees, calibration, trainedOn } = content
  checkShapes(content)
  return { version, heads: { values, scales, biases }, trees, calibration, trainedOn }
}

function parseHeader(bytes: Uint8Array): Header {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Header
  } catch (cause) {
    throw new ModelError('damaged: the header cannot be read', { cause })
  }
}

function checkShapes({ scales, biases, calibration }: Omit<Header, 'sha256'>): void {
  if (scales.length !== headCount || biases.length !== headCount) throw new ModelError('wrong number of heads')
  for (const audience of audiences) {
    const tables = calibration[audience]
    if (tables?.length !== lengthBuckets.length || tables.some((table) => table.length !== scoreAtRate.length))
      throw new ModelError(`no calibration for ${audience} text`)
  }
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  Array.isArray(a) && a.length === b.length && a.every((item, i) => item === b[i])

const bytesOf = (values: Int8Array): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.length)

function digestOf(content: Omit<Header, 'sha256'>, body: Uint8Array): string {
  return bytesToHex(sha256(concatBytes(utf8ToBytes(JSON.stringify(content)), body)))
}
