/** Group of a CVSS metric; base metrics are mandatory, all others optional. */
export type MetricGroup = 'base' | 'threat' | 'environmental' | 'supplemental'

export interface MetricDefinition {
  readonly group: MetricGroup
  readonly name: string
  readonly values: readonly string[]
}

export interface VectorFormat {
  /** Label in front of the first metric, for example `CVSS:4.0`. */
  readonly prefix: string
  /** Metrics in the order of the specification. */
  readonly metrics: readonly MetricDefinition[]
  /** `fixed`: the order of the specification is mandatory (CVSS 4.0). `any`: every order is valid (CVSS 3.1). */
  readonly order: 'fixed' | 'any'
}

/** Selected value of every metric that the vector names. Absent optional metrics have no entry. */
export type MetricValues = ReadonlyMap<string, string>

/** The vector string violates its specification; `position` is the 0-based offset of the violation. */
export class VectorError extends Error {
  override readonly name = 'VectorError'
  readonly position: number
  readonly metric: string | null

  constructor(message: string, position: number, metric: string | null = null) {
    super(`${message} (at ${position})`)
    this.position = position
    this.metric = metric
  }
}

export interface VectorReader {
  readonly prefix: string
  /** Parses a vector string; throws {@link VectorError} with position and metric. */
  readonly read: (vector: string) => MetricValues
}

interface IndexedMetric extends MetricDefinition {
  readonly index: number
}

/** Longest valid CVSS 4.0 vector has 205 characters; anything far beyond is refused before it is split. */
const maximumLength = 512

/** Builds the parser of one CVSS version from its metric table. */
export function createVectorReader(format: VectorFormat): VectorReader {
  const byName = new Map<string, IndexedMetric>(
    format.metrics.map((metric, index) => [metric.name, { ...metric, index }]),
  )
  const mandatory = format.metrics.filter((metric) => metric.group === 'base')

  function read(vector: string): MetricValues {
    if (vector.length > maximumLength) {
      throw new VectorError(`Vector is longer than ${maximumLength} characters`, maximumLength)
    }
    if (!vector.startsWith(`${format.prefix}/`)) {
      throw new VectorError(`Vector does not start with ${format.prefix}/`, 0)
    }
    const values = new Map<string, string>()
    let position = format.prefix.length + 1
    let last = -1
    while (position <= vector.length) {
      const slash = vector.indexOf('/', position)
      const end = slash < 0 ? vector.length : slash
      const metric = readMetric(vector, position, end, values)
      if (format.order === 'fixed' && metric.index < last) {
        throw new VectorError(`Metric ${metric.name} is out of order`, position, metric.name)
      }
      last = metric.index
      position = end + 1
    }
    requireBase(values, vector.length)
    return values
  }

  function readMetric(vector: string, start: number, end: number, values: Map<string, string>): IndexedMetric {
    const colon = vector.indexOf(':', start)
    const nameEnd = colon < 0 || colon > end ? end : colon
    const name = vector.slice(start, nameEnd)
    const metric = byName.get(name)
    if (metric === undefined) throw new VectorError(`Unknown metric "${shorten(name)}"`, start)
    if (nameEnd === end) throw new VectorError(`Metric ${name} has no value`, end, name)
    if (values.has(name)) throw new VectorError(`Metric ${name} occurs twice`, start, name)
    const value = vector.slice(nameEnd + 1, end)
    if (!metric.values.includes(value)) {
      const message = `Metric ${name} has the unknown value "${shorten(value)}", expected ${metric.values.join(', ')}`
      throw new VectorError(message, nameEnd + 1, name)
    }
    values.set(name, value)
    return metric
  }

  function requireBase(values: MetricValues, position: number): void {
    for (const { name } of mandatory) {
      if (!values.has(name)) throw new VectorError(`Mandatory metric ${name} is missing`, position, name)
    }
  }

  return { prefix: format.prefix, read }
}

function shorten(text: string): string {
  return text.length > 20 ? `${text.slice(0, 20)}…` : text
}
