import type { LiveSecret } from '../observe/live-secrets.ts'
import { type Setting, settings } from './schema.ts'

type Read<T> = T extends Setting<infer V> ? V : never

/** All settings, read once at start and never changed. */
export type Config = { readonly [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['read']> } & {
  readonly publicUrl: string
  /** Names that the environment gives a value, as against those that have their default. */
  readonly given: ReadonlySet<string>
  /** Values of the variables that tenants may name as secrets; no setting shows them. */
  readonly namedVariables: ReadonlyMap<string, string>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** @throws Error that lists every setting that is wrong, and every unknown `PARAPET_*` name. */
export function loadConfig(env: Environment): Config {
  const problems: string[] = unknownNames(env).map((name) => `${name}: there is no such setting`)
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries<Setting<unknown>>(settings)) {
    try {
      values[key] = setting.read(env[setting.env])
    } catch (error) {
      problems.push(`${setting.env}: ${error instanceof Error ? error.message : 'not valid'}`)
    }
  }
  if (problems.length > 0)
    throw new Error(`The configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`)
  const config = values as { [K in keyof typeof settings]: Read<(typeof settings)[K]> }
  return {
    ...config,
    publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
    given: given(env),
    namedVariables: namedVariables(env, config.gatewaySecretEnv),
  } as Config
}

/** Entries are `<tenant id>/<name>`. */
function namedVariables(env: Environment, entries: readonly string[]): ReadonlyMap<string, string> {
  const names = entries.map((entry) => entry.slice(entry.indexOf('/') + 1))
  return new Map(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])))
}

function given(env: Environment): ReadonlySet<string> {
  return new Set(Object.keys(env).filter((name) => env[name] !== undefined && env[name] !== ''))
}

/** Test settings share the prefix and are not the server's. */
function unknownNames(env: Environment): readonly string[] {
  const known = new Set<string>(Object.values(settings).map((setting) => setting.env))
  return Object.keys(env).filter(
    (name) => name.startsWith('PARAPET_') && !name.startsWith('PARAPET_TEST_') && !known.has(name),
  )
}

/** Secrets in the operator's own settings. Of an address the password alone. */
export function secretsOf(config: Config): readonly LiveSecret[] {
  return Object.entries<Setting<unknown>>(settings).flatMap(([key, { env, secret }]) => {
    const value: unknown = Reflect.get(config, key)
    if (secret !== true || typeof value !== 'string') return []
    return [{ owner: null, name: env, value: URL.canParse(value) ? passwordOf(new URL(value)) : value }]
  })
}

const passwordOf = ({ password }: URL): string => decodeURIComponent(password)

/** The effective settings as lines, secrets masked. */
export function explainConfig(env: Environment): readonly string[] {
  const config = loadConfig(env)
  return Object.entries<Setting<unknown>>(settings).map(([key, setting]) => {
    const value: unknown = Reflect.get(config, key)
    const shown = setting.secret && value !== null ? '********' : JSON.stringify(value)
    return `${setting.env}=${shown}  (${env[setting.env] === undefined ? 'default' : 'environment'}) ${setting.doc}`
  })
}
