import type { Config } from '../../config/load.ts'

/** Where traces and metrics go; null where one of them goes nowhere. */
export interface Targets {
  readonly traces: string | null
  readonly metrics: string | null
}

type Endpoints = Pick<Config, 'otelDisabled' | 'otelEndpoint' | 'otelTracesEndpoint' | 'otelMetricsEndpoint'>

/** Null when nothing is to be sent. A signal's own address is taken as it is; the common one gets the signal's path. */
export function targetsOf(config: Endpoints): Targets | null {
  if (config.otelDisabled) return null
  const at = (own: string | null, path: string): string | null =>
    own ?? (config.otelEndpoint === null ? null : `${config.otelEndpoint}${path}`)
  const traces = at(config.otelTracesEndpoint, '/v1/traces')
  const metrics = at(config.otelMetricsEndpoint, '/v1/metrics')
  return traces === null && metrics === null ? null : { traces, metrics }
}
