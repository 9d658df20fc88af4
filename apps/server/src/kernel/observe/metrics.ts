/**
 * Numbers about the running process in Prometheus form, in a registry of its own. It promises that label values come
 * from closed lists, so that no request can grow the number of series; it does not push or store anything.
 * Tested in metrics.test.ts.
 */
import client from 'prom-client'

export interface Counter<L extends string = never> {
  /** Adds `by` (default 1). A label value outside its declared list counts as `other`. */
  add(labels: Readonly<Record<L, string>>, by?: number): void
}

export interface Gauge<L extends string = never> {
  set(labels: Readonly<Record<L, string>>, value: number): void
}

export interface Histogram<L extends string = never> {
  observe(labels: Readonly<Record<L, string>>, value: number): void
  /** The same for one set of labels that is known beforehand, at a third of the cost. */
  bind(labels: Readonly<Record<L, string>>): (value: number) => void
}

/** Allowed values by label. */
export type ClosedLabels<L extends string> = Readonly<Record<L, readonly string[]>>

export interface MeterInput<L extends string> {
  /** `parapet_` is put in front; ends with its unit, for instance `_seconds` or `_total`. */
  readonly name: string
  readonly help: string
  readonly labels?: ClosedLabels<L>
}

export interface ObservedBy<V extends string> {
  readonly name: string
  readonly help: string
  readonly label: string
  readonly values: readonly V[]
}

/** Rate, errors and duration of one route; its labels are bound when the route is registered. */
export interface RouteMeter {
  observe(status: number, milliseconds: number): void
}

export interface Metrics {
  readonly contentType: string
  route(method: string, path: string): RouteMeter
  /** Asked twice for one name it gives the same meter. */
  counter<L extends string = never>(input: MeterInput<L>): Counter<L>
  gauge<L extends string = never>(input: MeterInput<L>): Gauge<L>
  /** A gauge without labels that is read when the metrics are rendered. */
  observed(input: { readonly name: string; readonly help: string }, read: () => number): void
  /** The same by the values of one label. */
  observedBy<V extends string>(input: ObservedBy<V>, read: () => Readonly<Record<V, number>>): void
  histogram<L extends string = never>(input: MeterInput<L> & { readonly buckets: readonly number[] }): Histogram<L>
  render(): Promise<string>
}

// Seconds. The lower half resolves the budget of a cached read, the upper half the gateway's waits on providers.
const routeBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** @param options `process: true` adds memory, CPU and event-loop delay of this process. */
export function createMetrics(options: { readonly process?: boolean } = {}): Metrics {
  const registry = new client.Registry()
  if (options.process === true) client.collectDefaultMetrics({ register: registry, prefix: 'parapet_' })
  const meters = new Map<string, unknown>()
  const once = <M>(name: string, make: (fullName: string) => M): M => {
    const known = meters.get(name)
    // The name decides the kind: each is declared at one place, and prom-client refuses a second form of it.
    if (known !== undefined) return known as M
    const made = make(`parapet_${name}`)
    meters.set(name, made)
    return made
  }
  const routes = new client.Histogram({
    name: 'parapet_http_request_duration_seconds',
    help: 'Duration of requests by route and class of status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: routeBuckets,
    registers: [registry],
  })
  return {
    contentType: registry.contentType,
    route: (method, path) => routeMeter(routes, method, path),
    counter: (input) => once(input.name, (name) => makeCounter(registry, { ...input, name })),
    gauge: (input) => once(input.name, (name) => makeGauge(registry, { ...input, name })),
    histogram: (input) => once(input.name, (name) => makeHistogram(registry, { ...input, name })),
    observed: (input, read) => {
      once(input.name, (name) => makeObserved(registry, { ...input, name }, read))
    },
    observedBy: (input, read) => {
      once(input.name, (name) => makeObservedBy(registry, { ...input, name }, read))
    },
    render: () => registry.metrics(),
  }
}

type RouteHistogram = client.Histogram<'method' | 'route' | 'status'>

function routeMeter(histogram: RouteHistogram, method: string, route: string): RouteMeter {
  const bound = statusClasses.map((status) => histogram.labels({ method, route, status }))
  return {
    observe: (status, milliseconds) => {
      bound[Math.min(Math.max(Math.trunc(status / 100), 1), 5) - 1]?.observe(milliseconds / 1000)
    },
  }
}

function makeCounter<L extends string>(registry: client.Registry, input: MeterInput<L>): Counter<L> {
  const counter = new client.Counter(describe(registry, input))
  const close = closing(input.labels)
  return { add: (labels, by = 1) => counter.inc(close(labels), by) }
}

function makeGauge<L extends string>(registry: client.Registry, input: MeterInput<L>): Gauge<L> {
  const gauge = new client.Gauge(describe(registry, input))
  const close = closing(input.labels)
  return { set: (labels, value) => gauge.set(close(labels), value) }
}

function makeHistogram<L extends string>(
  registry: client.Registry,
  input: MeterInput<L> & { readonly buckets: readonly number[] },
): Histogram<L> {
  const histogram = new client.Histogram({ ...describe(registry, input), buckets: [...input.buckets] })
  const close = closing(input.labels)
  return {
    observe: (labels, value) => histogram.observe(close(labels), value),
    bind: (labels) => {
      const bound = histogram.labels(close(labels))
      return (value) => bound.observe(value)
    },
  }
}

function makeObserved(registry: client.Registry, input: MeterInput<never>, read: () => number): client.Gauge {
  return new client.Gauge({
    ...describe(registry, input),
    collect() {
      this.set(read())
    },
  })
}

function makeObservedBy<V extends string>(
  registry: client.Registry,
  { name, help, label, values }: ObservedBy<V>,
  read: () => Readonly<Record<V, number>>,
): client.Gauge {
  return new client.Gauge({
    ...{ name, help, labelNames: [label], registers: [registry] },
    collect() {
      const now = read()
      for (const value of values) this.set({ [label]: value }, now[value])
    },
  })
}

function describe<L extends string>(registry: client.Registry, input: MeterInput<L>) {
  return { name: input.name, help: input.help, labelNames: Object.keys(input.labels ?? {}), registers: [registry] }
}

function closing<L extends string>(labels: ClosedLabels<L> | undefined) {
  const allowed = Object.entries<readonly string[]>(labels ?? {}).map(
    ([name, values]) => [name, new Set(values)] as const,
  )
  return (given: Readonly<Record<L, string>>): Record<string, string> => {
    const values = new Map<string, string>(Object.entries(given))
    return Object.fromEntries(
      allowed.map(([name, set]) => {
        const value = values.get(name) ?? 'other'
        return [name, set.has(value) ? value : 'other']
      }),
    )
  }
}
