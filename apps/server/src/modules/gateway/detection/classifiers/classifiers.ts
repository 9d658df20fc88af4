/**
 * The outside classifiers of this process, ready for use. Their addresses are dialed only through the guarded egress,
 * nothing is downloaded, and one that cannot work is reported at startup. Tested in file.test.ts and
 * ../../classifier.test.ts.
 */

import { type Classifier, ClassifierError, createScoreTable, type ScoreTable } from '@parapet/detect'
import { createHttpClassifier } from '@parapet/detect/http'
import { type OnnxClassifier, openOnnxClassifier } from '@parapet/detect/onnx'
import { textOfFile } from '../../../../kernel/config/operator-file.ts'
import type { Egress } from '../../../../kernel/egress/fetch.ts'
import { webResponseOf } from '../../../../kernel/egress/web-response.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Activity } from '../../../../kernel/lifecycle/activity.ts'
import type { Installed } from '../../policy/check.ts'
import type { TopicModel } from './embedder.ts'
import { createEmbedder } from './embedder.ts'
import { type ClassifierEntry, type HttpEntry, type OnnxEntry, readClassifiers } from './file.ts'

export interface KnownClassifier {
  readonly name: string
  /** Score of our own detectors from which it is asked. */
  readonly askFrom: number
  readonly calibration: ScoreTable
  /** The same classifier with this time limit. */
  within(timeoutMs: number): Classifier
}

export interface Classifiers {
  readonly names: ReadonlySet<string>
  find(name: string): KnownClassifier | null
  /** Model that determines the topics of texts; null if the operator has none. */
  readonly topicModel: TopicModel | null
  /** Opens file-based classifiers at the start and closes them at the end. */
  readonly opening: Activity
}

/** Classifiers and topics that policies may name. */
export function installedOf({ names, topicModel }: Pick<Classifiers, 'names' | 'topicModel'>): Installed {
  return { classifiers: names, knowsTopics: topicModel !== null }
}

type Parts = Pick<Kernel, 'config' | 'egress' | 'clock'>

/** Without a table from the operator, the score is the probability itself. */
const asSaid = [
  [0, 0],
  [1, 1],
] as const

/** @throws Error with a message for the operator if the file, or an entry of it, cannot be used */
export function createClassifiers(parts: Parts): Classifiers {
  const entries = readClassifiers(parts.config.gatewayClassifiersFile, (entry) => problemOf(parts, entry))
  const opened = new Map<string, OnnxClassifier>()
  const judges = entries.filter((entry) => entry.kind !== 'embeddings')
  const known = new Map(judges.map((entry) => [entry.name, knownOf(parts, entry, opened)]))
  return {
    names: new Set(known.keys()),
    find: (name) => known.get(name) ?? null,
    topicModel: topicModelOf(parts, entries),
    opening: {
      name: 'classifiers',
      start: async () => {
        for (const entry of entries) if (entry.kind === 'onnx') opened.set(entry.name, await openFiles(entry))
      },
      stop: async () => {
        await Promise.all([...opened.values()].map((one) => one.close()))
      },
    },
  }
}

function problemOf(parts: Parts, entry: ClassifierEntry): string | null {
  try {
    createScoreTable(entry.calibration ?? asSaid)
    if (entry.kind === 'onnx') return null
    const check = parts.egress.checkUrl(entry.url)
    if (!check.ok) return `the network guard refuses the address: ${check.rule}`
    if (entry.kind === 'http') overHttp(parts, entry, headersOf(entry), 1000)
    else createEmbedder(parts, entry)
    return null
  } catch (error) {
    if (error instanceof ClassifierError || error instanceof RangeError) return error.message
    return 'authorization_file cannot be read'
  }
}

function topicModelOf(parts: Parts, entries: readonly ClassifierEntry[]): TopicModel | null {
  const entry = entries.find(({ kind }) => kind === 'embeddings')
  if (entry?.kind !== 'embeddings') return null
  return { embedder: createEmbedder(parts, entry), calibration: createScoreTable(entry.calibration ?? asSaid) }
}

function knownOf(
  parts: Parts,
  entry: HttpEntry | OnnxEntry,
  opened: ReadonlyMap<string, OnnxClassifier>,
): KnownClassifier {
  return {
    name: entry.name,
    askFrom: entry.ask_from ?? 0,
    calibration: createScoreTable(entry.calibration ?? asSaid),
    within: entry.kind === 'http' ? eachTime(parts, entry) : fromFiles(entry, opened),
  }
}

/** Each time limit has its own breaker: too slow for one policy may be fast enough for another. */
function eachTime(parts: Parts, entry: HttpEntry): KnownClassifier['within'] {
  const headers = headersOf(entry)
  const made = new Map<number, Classifier>()
  return (timeoutMs) => {
    const classifier = made.get(timeoutMs) ?? overHttp(parts, entry, headers, timeoutMs)
    made.set(timeoutMs, classifier)
    return classifier
  }
}

function headersOf({ headers = {}, authorization_file: path }: HttpEntry): Readonly<Record<string, string>> {
  return path === undefined ? headers : { ...headers, authorization: textOfFile(path).trim() }
}

function overHttp(
  { egress, clock }: Parts,
  entry: HttpEntry,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Classifier {
  const { items, labels, harmless } = entry.score
  return createHttpClassifier({
    name: entry.name,
    url: entry.url,
    headers,
    request: entry.request,
    score: {
      at: entry.score.at,
      ...(items !== undefined && { items }),
      ...(labels !== undefined && { labels }),
      ...(harmless !== undefined && { harmless }),
    },
    timeoutMs,
    maxTokens: entry.max_tokens,
    ...(entry.characters_per_token !== undefined && { charactersPerToken: entry.characters_per_token }),
    ...(entry.max_windows !== undefined && { maxWindows: entry.max_windows }),
    ...(entry.batch !== undefined && { batch: entry.batch }),
    now: () => clock.monotonic(),
    fetch: fetchOver(egress, timeoutMs),
  })
}

const maxAnswerBytes = 1_048_576

/** Only the parts of `fetch` that the adapter uses. */
function fetchOver(egress: Egress, timeoutMs: number): typeof fetch {
  const timeouts = { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs }
  return async (url, { headers, body, signal } = {}) => {
    const answer = await egress.fetch({
      url: String(url),
      method: 'POST',
      headers: Object.fromEntries(new Headers(headers).entries()),
      body: String(body),
      timeouts,
      maxBytes: maxAnswerBytes,
      ...(signal == null ? {} : { signal }),
    })
    return webResponseOf(answer)
  }
}

function fromFiles(
  { name, max_tokens: maxTokens = 512 }: OnnxEntry,
  opened: ReadonlyMap<string, OnnxClassifier>,
): KnownClassifier['within'] {
  return (timeoutMs) => ({
    name,
    maxTokens,
    classify: async (texts, signal) => {
      const model = opened.get(name)
      if (model === undefined) throw new ClassifierError('unavailable', 'It is not open.')
      const limit = AbortSignal.timeout(timeoutMs)
      try {
        return await model.classify(texts, AbortSignal.any([signal, limit]))
      } catch (error) {
        if (limit.aborted && !signal.aborted)
          throw new ClassifierError('timeout', `No answer within ${timeoutMs} ms.`, { cause: error })
        throw error
      }
    },
  })
}

function openFiles(entry: OnnxEntry): Promise<OnnxClassifier> {
  return openOnnxClassifier({
    name: entry.name,
    modelPath: entry.model_file,
    tokenizerPath: entry.tokenizer_file,
    labelIndex: entry.labels,
    ...(entry.max_tokens !== undefined && { maxTokens: entry.max_tokens }),
    ...(entry.max_windows !== undefined && { maxWindows: entry.max_windows }),
    ...(entry.threads !== undefined && { threads: entry.threads }),
  })
}
