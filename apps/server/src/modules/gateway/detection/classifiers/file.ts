/**
 * The outside classifiers of an installation, from its operator's file. A file with any error starts nothing, all
 * errors are reported at once, and no value is quoted. Tested in file.test.ts.
 */
import type { HttpClassifierOptions } from '@parapet/detect/http'
import Type, { type Static, type TSchema } from 'typebox'
import { jsonOfFile } from '../../../../kernel/config/operator-file.ts'
import { strictObject } from '../../../../kernel/schema/types.ts'
import { lazyCheck } from '../../../../kernel/schema/validators.ts'
import { ClassifierName } from '../../policy/sections/detection.ts'
import { opt, probability } from '../../words/policy-words.ts'

const Path = Type.String({ minLength: 1, maxLength: 4096 })
const windows = opt(Type.Integer({ minimum: 1, maximum: 10_000 }))

const every = {
  name: ClassifierName,
  /** Maps the classifier's probability to our score: `[raw, score]` pairs. */
  calibration: opt(Type.Array(Type.Tuple([probability, probability]), { minItems: 2, maxItems: 100 })),
  /** Score of our own detectors from which it is asked. */
  ask_from: opt(probability),
}

export const HttpEntry = strictObject({
  ...every,
  kind: Type.Literal('http'),
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  headers: opt(Type.Record(Type.String({ pattern: '^[a-z0-9-]{1,64}$' }), Type.String({ maxLength: 4096 }))),
  authorization_file: opt(Path),
  request: Type.Unsafe<HttpClassifierOptions['request']>(Type.Unknown()),
  score: strictObject({
    items: opt(Type.String({ maxLength: 200 })),
    at: Type.String({ maxLength: 200 }),
    labels: opt(Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 50 })),
    harmless: opt(Type.String({ maxLength: 200 })),
  }),
  max_tokens: Type.Integer({ minimum: 8, maximum: 1_000_000 }),
  characters_per_token: opt(Type.Number({ minimum: 1, maximum: 10 })),
  max_windows: windows,
  batch: opt(Type.Integer({ minimum: 1, maximum: 1000 })),
})
export type HttpEntry = Static<typeof HttpEntry>

export const OnnxEntry = strictObject({
  ...every,
  kind: Type.Literal('onnx'),
  model_file: Path,
  tokenizer_file: Path,
  /** Indexes of the labels that mean an attack. */
  labels: Type.Array(Type.Integer({ minimum: 0, maximum: 1000 }), { minItems: 1, maxItems: 50 }),
  max_tokens: opt(Type.Integer({ minimum: 8, maximum: 1_000_000 })),
  max_windows: windows,
  threads: opt(Type.Integer({ minimum: 1, maximum: 256 })),
})
export type OnnxEntry = Static<typeof OnnxEntry>

/** A model that turns texts into vectors, for determining topics. */
export const EmbeddingsEntry = strictObject({
  name: ClassifierName,
  kind: Type.Literal('embeddings'),
  url: HttpEntry.properties.url,
  headers: HttpEntry.properties.headers,
  authorization_file: opt(Path),
  request: Type.Unknown(),
  vectors: strictObject({ items: Type.String({ maxLength: 200 }), at: Type.String({ maxLength: 200 }) }),
  /** Maps the cosine to our score. */
  calibration: every.calibration,
  timeout_ms: opt(Type.Integer({ minimum: 5, maximum: 10_000 })),
  batch: HttpEntry.properties.batch,
})
export type EmbeddingsEntry = Static<typeof EmbeddingsEntry>

export type ClassifierEntry = HttpEntry | OnnxEntry | EmbeddingsEntry

const schemas: Readonly<Record<ClassifierEntry['kind'], TSchema>> = {
  http: HttpEntry,
  onnx: OnnxEntry,
  embeddings: EmbeddingsEntry,
}

/** Error in one entry beyond its schema; null if the entry can be used. */
export type EntryCheck = (entry: ClassifierEntry) => string | null

/** @throws Error with a message for the operator, one line per fault */
export function readClassifiers(path: string | null, check: EntryCheck): readonly ClassifierEntry[] {
  if (path === null) return []
  const entries = parsed(path)
  const faults = entries.flatMap((entry, index) => faultsOf(entry, check).map((fault) => `${index}${fault}`))
  const names = entries.map(nameOf)
  for (const [index, name] of names.entries())
    if (name !== undefined && names.indexOf(name) < index) faults.push(`${index}/name: is used twice`)
  for (const index of entries.flatMap(embeddingsAt).slice(1)) faults.push(`${index}/kind: embeddings are there already`)
  if (faults.length > 0)
    throw new Error(`The classifiers file ${path} is not valid:\n${faults.map((line) => `  ${line}`).join('\n')}`)
  return entries as readonly ClassifierEntry[]
}

function faultsOf(entry: unknown, check: EntryCheck): readonly string[] {
  const kind = typeof entry === 'object' && entry !== null && 'kind' in entry ? entry.kind : undefined
  if (kind !== 'http' && kind !== 'onnx' && kind !== 'embeddings') return ['/kind: must be http, onnx or embeddings']
  const wrong = lazyCheck(schemas[kind])(entry)
  if (wrong.length > 0) return wrong.map(({ pointer, detail }) => `${pointer}: ${detail}`)
  const problem = check(entry as ClassifierEntry)
  return problem === null ? [] : [`: ${problem}`]
}

function embeddingsAt(entry: unknown, index: number): readonly number[] {
  return typeof entry === 'object' && entry !== null && Reflect.get(entry, 'kind') === 'embeddings' ? [index] : []
}

function nameOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined
}

function parsed(path: string): readonly unknown[] {
  const value = jsonOfFile(path, 'classifiers file')
  if (Array.isArray(value)) return value
  throw new Error(`The classifiers file ${path} holds no JSON list.`)
}
