/**
 * A sequence classifier in a file: rows of tokens in, a probability for each row out.
 * Promises that a model whose inputs or outputs do not fit is refused when it is opened, not at the first text.
 * Tested in onnx.test.ts.
 */
import { access } from 'node:fs/promises'
import { ClassifierError } from './classifier.ts'
import { type Matrix, matrixOf, type OnnxRuntime, type OnnxSession } from './onnx-runtime.ts'

export interface OnnxModel {
  /** Whether rows of different lengths may stand in one batch: only a mask tells padding from text. */
  readonly takesPadding: boolean
  /** Probability 0..1 that each row has one of the wanted labels. */
  judge(rows: readonly (readonly number[])[]): Promise<number[]>
  close(): Promise<void>
}

export interface OnnxModelOptions {
  readonly path: string
  readonly runtime: OnnxRuntime
  /** Positions of the wanted labels. */
  readonly labels: readonly number[]
  /** Fills short rows. */
  readonly padding: number
  /** Threads of one run; absent = what the runtime chooses. */
  readonly threads?: number
}

/** @throws ClassifierError (`not-usable`) when the file is absent, no model, or made for other inputs. */
export async function openOnnxModel(options: OnnxModelOptions): Promise<OnnxModel> {
  const session = await openSession(options)
  const inputs = knownInputs(session, options.path)
  const output = session.outputNames.includes('logits') ? 'logits' : (session.outputNames[0] ?? '')
  return {
    takesPadding: inputs.some(({ name }) => name === 'attention_mask'),
    judge: async (rows) => {
      const answer = await session.run(feedsOf(rows, inputs, options))
      const logits = matrixOf(answer[output])
      if (logits === undefined || logits.rows !== rows.length)
        throw misfit(options.path, 'gives no row of logits a text')
      if (Math.max(...options.labels) >= logits.columns) throw misfit(options.path, `has ${logits.columns} labels only`)
      return probabilities(logits, options.labels, options.path)
    },
    close: async () => {
      await session.release?.()
    },
  }
}

async function openSession({ path, runtime, threads }: OnnxModelOptions): Promise<OnnxSession> {
  try {
    await access(path)
  } catch (cause) {
    throw new ClassifierError('not-usable', `The model file ${path} is absent or cannot be read.`, { cause })
  }
  try {
    // Level 4: nothing is written but the last words of a crash; errors are reported once, through the exception.
    const threadOption = threads === undefined ? {} : { intraOpNumThreads: threads }
    return await runtime.InferenceSession.create(path, { logSeverityLevel: 4, ...threadOption })
  } catch (cause) {
    throw new ClassifierError('not-usable', `The model file ${path} is not a model that can be run.`, { cause })
  }
}

interface Input {
  readonly name: 'input_ids' | 'attention_mask' | 'token_type_ids'
  readonly type: 'int64' | 'int32'
}

function knownInputs(session: OnnxSession, path: string): Input[] {
  const inputs = session.inputNames.map((name): Input => {
    if (name !== 'input_ids' && name !== 'attention_mask' && name !== 'token_type_ids')
      throw misfit(path, `needs the input ${name}`)
    const type = session.inputMetadata?.find((input) => input.name === name)?.type ?? 'int64'
    if (type !== 'int64' && type !== 'int32') throw misfit(path, `takes ${name} as ${type}`)
    return { name, type }
  })
  if (!inputs.some(({ name }) => name === 'input_ids')) throw misfit(path, 'takes no input_ids')
  return inputs
}

function misfit(path: string, why: string): ClassifierError {
  return new ClassifierError('not-usable', `The model ${path} does not fit: it ${why}.`)
}

type Rows = readonly (readonly number[])[]

function feedsOf(rows: Rows, inputs: readonly Input[], { runtime, padding }: OnnxModelOptions): Record<string, object> {
  const width = Math.max(...rows.map(({ length }) => length))
  const cell = {
    input_ids: (row: readonly number[], at: number): number => row[at] ?? padding,
    attention_mask: (row: readonly number[], at: number): number => Number(at < row.length),
    token_type_ids: (): number => 0,
  }
  const tensor = ({ name, type }: Input): object => {
    const values = rows.flatMap((row) => Array.from({ length: width }, (_, at) => cell[name](row, at)))
    const data = type === 'int64' ? BigInt64Array.from(values, BigInt) : Int32Array.from(values)
    return new runtime.Tensor(type, data, [rows.length, width])
  }
  return Object.fromEntries(inputs.map((input) => [input.name, tensor(input)]))
}

/** Softmax over the labels; a model with a single output speaks for itself through the logistic function. */
function probabilities({ data, rows, columns }: Matrix, labels: readonly number[], path: string): number[] {
  return Array.from({ length: rows }, (_, row) => {
    const logits = [...data.subarray(row * columns, (row + 1) * columns)]
    if (!logits.every(Number.isFinite)) throw new ClassifierError('invalid-answer', `The model ${path} gave no number.`)
    if (columns === 1) return 1 / (1 + Math.exp(-(logits[0] ?? 0)))
    // The largest is taken off, because the exponential of a large logit is infinite.
    const largest = Math.max(...logits)
    const weights = logits.map((logit) => Math.exp(logit - largest))
    const wanted = labels.reduce((sum, label) => sum + (weights[label] ?? 0), 0)
    return Math.min(1, wanted / weights.reduce((sum, weight) => sum + weight, 0))
  })
}
