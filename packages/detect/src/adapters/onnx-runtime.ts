/** The part of ONNX Runtime's interface that is used; `onnxruntime-node` and `onnxruntime-web` both have it. */
export interface OnnxRuntime {
  readonly InferenceSession: { create(path: string, options: object): Promise<OnnxSession> }
  readonly Tensor: new (type: 'int64' | 'int32', data: BigInt64Array | Int32Array, dims: readonly number[]) => object
}

export interface OnnxSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  /** Older versions do not have it. */
  readonly inputMetadata?: readonly { readonly name: string; readonly type?: string }[]
  run(feeds: Readonly<Record<string, object>>): Promise<Readonly<Record<string, unknown>>>
  release?(): Promise<void>
}

/** Whether a loaded module can be used as the runtime. */
export function isOnnxRuntime(loaded: unknown): loaded is OnnxRuntime {
  if (typeof loaded !== 'object' || loaded === null) return false
  if (!('Tensor' in loaded) || !('InferenceSession' in loaded)) return false
  const { Tensor, InferenceSession } = loaded
  return typeof Tensor === 'function' && typeof InferenceSession === 'function' && 'create' in InferenceSession
}

/** A matrix of numbers as a session gives it. */
export interface Matrix {
  readonly data: Float32Array
  readonly rows: number
  readonly columns: number
}

/** Reads an output of the shape rows x columns; undefined for any other shape or type. */
export function matrixOf(output: unknown): Matrix | undefined {
  if (typeof output !== 'object' || output === null || !('data' in output) || !('dims' in output)) return undefined
  const { data, dims } = output
  if (!(data instanceof Float32Array) || !Array.isArray(dims) || dims.length !== 2) return undefined
  const [rows, columns]: unknown[] = dims
  if (typeof rows !== 'number' || typeof columns !== 'number' || rows * columns !== data.length) return undefined
  return { data, rows, columns }
}
