/**
 * A classifier from files on this machine, run by ONNX Runtime, which the installation must add by itself.
 * Promises that nothing is ever downloaded, that whatever is wrong with the files is said when it is opened, and that
 * one text costs a bounded number of windows. Not for browsers. Tested in onnx.test.ts.
 */
import { basename } from 'node:path'
import { type Classifier, ClassifierError, untilAborted } from './classifier.ts'
import { type OnnxModel, openOnnxModel } from './onnx-model.ts'
import { isOnnxRuntime, type OnnxRuntime } from './onnx-runtime.ts'
import { loadPackage } from './optional-package.ts'
import { openTokenizer, type Tokenizer } from './tokenizer.ts'
import { Turns } from './turns.ts'
import { windowsOf } from './windows.ts'

export interface OnnxClassifierOptions {
  /** For reports. Default the name of the model's file. */
  readonly name?: string
  /** The model; `input_ids` and, where it has them, `attention_mask` and `token_type_ids` in, `logits` out. */
  readonly modelPath: string
  /** Its `tokenizer.json`. */
  readonly tokenizerPath: string
  /** Tokens of one window with the special ones. Default 512. */
  readonly maxTokens?: number
  /** Position of the label that means an attack, or of several that add up. */
  readonly labelIndex: number | readonly number[]
  /** Windows in one run. Default 8. */
  readonly batch?: number
  /** Most windows of one text; longer texts are refused. Default 64. */
  readonly maxWindows?: number
  /** Most runs that may wait; further ones are refused. Default 64. */
  readonly maxWaiting?: number
  /** Threads of one run. Default what the runtime chooses. */
  readonly threads?: number
  /** Default the installed `onnxruntime-node`. */
  readonly runtime?: OnnxRuntime
}

export interface OnnxClassifier extends Classifier {
  /** Frees the model's memory once the run under way has ended. */
  close(): Promise<void>
}

/** @throws ClassifierError (`not-usable`) when a package or file is absent or does not fit. */
export async function openOnnxClassifier(options: OnnxClassifierOptions): Promise<OnnxClassifier> {
  const { modelPath, maxTokens = 512, labelIndex, batch = 8 } = options
  const labels = typeof labelIndex === 'number' ? [labelIndex] : labelIndex
  checkNumbers({ labels, maxTokens, batch })
  const tokenizer = await openTokenizer(options.tokenizerPath)
  const runtime = options.runtime ?? (await loadPackage('onnxruntime-node', isOnnxRuntime))
  const { threads } = options
  const model = await openOnnxModel({
    path: modelPath,
    runtime,
    labels,
    padding: tokenizer.padding,
    ...(threads === undefined ? {} : { threads }),
  })
  const room = maxTokens - tokenizer.prefix.length - tokenizer.suffix.length
  const engine: Engine = {
    tokenizer,
    model,
    room,
    maxWindows: options.maxWindows ?? 64,
    batch: model.takesPadding ? batch : 1,
    turns: new Turns(options.maxWaiting ?? 64),
  }
  await tryOut(engine, modelPath)
  return {
    name: options.name ?? basename(modelPath),
    maxTokens,
    classify: (texts, signal) => untilAborted(classify(engine, texts, signal), signal),
    close: () => engine.turns.take(() => model.close()),
  }
}

function checkNumbers({
  labels,
  maxTokens,
  batch,
}: {
  labels: readonly number[]
  maxTokens: number
  batch: number
}): void {
  const whole = [...labels, maxTokens, batch].every((value) => Number.isSafeInteger(value) && value >= 0)
  if (!whole || labels.length === 0 || maxTokens < 16 || batch < 1)
    throw new ClassifierError(
      'not-usable',
      'Label positions, window and batch are whole numbers; a window is 16 or more.',
    )
}

interface Engine {
  readonly tokenizer: Tokenizer
  readonly model: OnnxModel
  /** Tokens of text in one window. */
  readonly room: number
  readonly maxWindows: number
  readonly batch: number
  readonly turns: Turns
}

/** Finds out now whether a window of full length and a batch of mixed lengths go through. */
async function tryOut({ tokenizer, model, room, batch }: Engine, path: string): Promise<void> {
  const { prefix, suffix, padding } = tokenizer
  const sample = Array.from({ length: room }, () => suffix[0] ?? padding)
  const rows = [
    [...prefix, ...sample, ...suffix],
    [...prefix, ...sample.slice(0, 1), ...suffix],
  ].slice(0, batch)
  try {
    await model.judge(rows)
  } catch (cause) {
    await model.close()
    if (cause instanceof ClassifierError) throw cause
    const size = `${rows.length} windows of up to ${room + prefix.length + suffix.length} tokens`
    throw new ClassifierError('not-usable', `The model ${path} does not fit: it fails on ${size}.`, { cause })
  }
}

async function classify(engine: Engine, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
  const windows: Window[] = []
  for (const [text, content] of texts.entries())
    for (const row of await rowsOf(engine, content, signal)) windows.push({ text, row })
  // Rows of like length together waste the least padding.
  windows.sort((a, b) => a.row.length - b.row.length)
  const scores = texts.map(() => 0)
  for (let at = 0; at < windows.length; at += engine.batch) {
    const batch = windows.slice(at, at + engine.batch)
    const judged = await engine.turns.take(async () => {
      signal.throwIfAborted()
      return engine.model.judge(batch.map(({ row }) => row))
    })
    for (const [index, { text }] of batch.entries()) scores[text] = Math.max(scores[text] ?? 0, judged[index] ?? 0)
  }
  return scores
}

interface Window {
  /** Position of its text among those asked about. */
  readonly text: number
  readonly row: readonly number[]
}

/** No tokenizer makes fewer tokens than one for so many characters of ordinary text. */
const charactersPerToken = 8

async function rowsOf(engine: Engine, text: string, signal: AbortSignal): Promise<number[][]> {
  const { room, maxWindows, tokenizer } = engine
  // Looked at before any token is made: making them costs more than everything else about a text that is refused.
  if (text.length > maxWindows * room * charactersPerToken) throw tooLong(maxWindows)
  const ids = await tokenizer.encode(text, signal)
  const spans = windowsOf(ids.length, room)
  if (spans.length > maxWindows) throw tooLong(maxWindows)
  return spans.map(([start, end]) => [...tokenizer.prefix, ...ids.slice(start, end), ...tokenizer.suffix])
}

function tooLong(maxWindows: number): ClassifierError {
  return new ClassifierError('too-long', `More than ${maxWindows} windows of text.`)
}
