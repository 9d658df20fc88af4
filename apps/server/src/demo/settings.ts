import { type Config, type Environment, loadConfig } from '../kernel/config/load.ts'

/** Where the stand-in model listens. */
const loopback = '127.0.0.1/32'

/** The server's settings with the demo's defaults: data of its own, a quiet log, and a way to the stand-in model. */
export function demoConfig(environment: Environment): Config {
  const allowed = environment.PARAPET_GATEWAY_PRIVATE_UPSTREAMS ?? ''
  return loadConfig({
    PARAPET_DATA_DIR: './data/demo',
    PARAPET_LOG_LEVEL: 'warn',
    PARAPET_ACCESS_LOG: 'false',
    ...environment,
    PARAPET_GATEWAY_PRIVATE_UPSTREAMS: allowed === '' ? loopback : `${allowed},${loopback}`,
  })
}
