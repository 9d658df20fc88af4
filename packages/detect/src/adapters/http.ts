/**
 * A classifier behind an HTTP interface: any service that takes JSON and answers JSON.
 * Promises one deadline for a whole call, no retries, no redirects, a bounded answer, rest after repeated failures,
 * and that neither texts nor headers appear in an error. Tested against a real server in http.test.ts.
 */
import { Breaker, type BreakerOptions } from './breaker.ts'
import { type Classifier, ClassifierError, untilAborted } from './classifier.ts'
import { capacityOf, fillTemplate, isPointer, type Json, type ScoreMapping, scoresIn } from './json-mapping.ts'
import { readText } from './read-text.ts'
import { textWindowsOf } from './windows.ts'

export interface HttpClassifierOptions {
  /** For reports. Default the host of the address. */
  readonly name?: string
  /** http or https, without user name and password. */
  readonly url: string
  /** Sent with every request, for example `authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  /** JSON body; the value `"{{texts}}"` becomes a list of texts, or `"{{text}}"` a single one. */
  readonly request: Json
  readonly score: ScoreMapping
  /** Milliseconds for all requests of one call together. */
  readonly timeoutMs: number
  /** Tokens that the service reads of one text. */
  readonly maxTokens: number
  /**
   * ASCII characters that one token surely holds: only the service knows its tokens. Default 3, for prose; lower for
   * code. Any other character counts as a token.
   */
  readonly charactersPerToken?: number
  /** Most windows of one text; longer texts are refused. Default 64. */
  readonly maxWindows?: number
  /** Most texts in one request. Default 16. */
  readonly batch?: number
  /** Default 1 MiB. */
  readonly maxAnswerBytes?: number
  /** Default 5 failures in a row, then a rest of 30 seconds. */
  readonly breaker?: Partial<Pick<BreakerOptions, 'failures' | 'restMs'>>
  /** Milliseconds, for the rest after failures. */
  readonly now: () => number
  /** The caller's own way out: it decides which hosts may be reached. */
  readonly fetch: typeof fetch
}

/** @throws ClassifierError (`not-usable`) for settings that cannot work. */
export function createHttpClassifier(options: HttpClassifierOptions): Classifier {
  const service = serviceOf(options)
  return {
    name: options.name ?? service.url.host,
    maxTokens: options.maxTokens,
    classify: async (texts, signal) => {
      const cut = texts.map((text) => piecesOf(text.toWellFormed(), options))
      const scores = await withinDeadline(service, signal, (either) => askAll(service, cut.flat(), either))
      let at = 0
      return cut.map(({ length }) => {
        at += length
        return Math.max(...scores.slice(at - length, at))
      })
    },
  }
}

interface Service {
  readonly options: HttpClassifierOptions
  readonly url: URL
  /** Texts of one request. */
  readonly batch: number
  readonly breaker: Breaker
}

function serviceOf(options: HttpClassifierOptions): Service {
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw unusable('its address is not http or https')
  if (url.username !== '' || url.password !== '') throw unusable('its address holds a password; use a header')
  const capacity = capacityOf(options.request)
  if (capacity === undefined) throw unusable('its request needs either {{texts}} or {{text}}')
  const { items, at } = options.score
  if (!isPointer(at) || !isPointer(items ?? ''))
    throw unusable('its score is not found by JSON pointers like /results/0')
  if (capacity === 'several' && items === undefined) throw unusable('a request with {{texts}} needs score.items')
  const { timeoutMs, maxTokens, batch = 16, charactersPerToken = 3, breaker } = options
  if (!(timeoutMs > 0 && maxTokens >= 8 && batch >= 1 && charactersPerToken >= 1))
    throw unusable('a time, token or batch limit is too small')
  return {
    options,
    url,
    batch: capacity === 'several' ? batch : 1,
    breaker: new Breaker({ failures: breaker?.failures ?? 5, restMs: breaker?.restMs ?? 30_000, now: options.now }),
  }
}

function unusable(why: string): ClassifierError {
  return new ClassifierError('not-usable', `This HTTP classifier cannot work: ${why}.`)
}

function piecesOf(text: string, options: HttpClassifierOptions): string[] {
  const { maxTokens, charactersPerToken = 3, maxWindows = 64 } = options
  const room = Math.floor(maxTokens * charactersPerToken)
  // Every character takes a unit or more, so this long is too long; no need to look at them.
  const spans = text.length > maxWindows * room ? [] : textWindowsOf(text, room, charactersPerToken)
  if (spans.length === 0 || spans.length > maxWindows)
    throw new ClassifierError('too-long', `More than ${maxWindows} windows of text.`)
  return spans.map(([start, end]) => text.slice(start, end).toWellFormed())
}

type Ask = (signal: AbortSignal) => Promise<number[]>

async function withinDeadline({ options, breaker }: Service, signal: AbortSignal, ask: Ask): Promise<number[]> {
  signal.throwIfAborted()
  if (!breaker.enter()) throw new ClassifierError('resting', 'It failed repeatedly and is left alone for a while.')
  const limit = AbortSignal.timeout(options.timeoutMs)
  const either = AbortSignal.any([signal, limit])
  try {
    const scores = await untilAborted(ask(either), either)
    breaker.succeeded()
    return scores
  } catch (error) {
    if (signal.aborted) {
      breaker.abandoned()
      throw signal.reason
    }
    breaker.failed()
    if (limit.aborted)
      throw new ClassifierError('timeout', `No answer within ${options.timeoutMs} ms.`, { cause: error })
    throw error
  }
}

async function askAll(service: Service, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
  const scores: number[] = []
  for (let at = 0; at < texts.length; at += service.batch)
    scores.push(...(await askOnce(service, texts.slice(at, at + service.batch), signal)))
  return scores
}

async function askOnce({ options, url }: Service, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
  const response = await reach(() =>
    options.fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', ...options.headers, 'content-type': 'application/json' },
      body: JSON.stringify(fillTemplate(options.request, texts)),
      // A redirect would send texts and credentials to a host that no one chose.
      redirect: 'error',
      signal,
    }),
  )
  if (!response.ok) {
    await response.body?.cancel()
    throw new ClassifierError('unavailable', `It answered with status ${response.status}.`)
  }
  const body = await reach(() => readText(response, options.maxAnswerBytes ?? 1_048_576))
  const scores = body === undefined ? undefined : scoresIn(parsed(body), options.score, texts.length)
  if (scores === undefined) throw new ClassifierError('invalid-answer', 'Its answer does not hold the expected scores.')
  return scores
}

/** The signals tell an abort from a failure, in the one place that knows both. */
async function reach<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw new ClassifierError('unavailable', 'It could not be reached or broke off.', { cause: error })
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // For any parse error: undefined holds no score and is reported as such.
    return undefined
  }
}
