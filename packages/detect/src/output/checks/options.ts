import type { OutputChannel, OutputCheck } from './rules.ts'

export interface OutputOptions {
  /** Tokens made by `createCanary` that stand in the system prompt. */
  readonly canaries?: readonly string[]
  readonly systemPrompt?: string
  /** Hosts that links and images may point to; `*.` stands for any labels. Without it only what carries data is found. */
  readonly allowedHosts?: readonly string[]
  /** Messages of the user and results of the tools. */
  readonly conversation?: string
  /** Whether a value was in the conversation, for example by the redaction vault; turns on the check `foreign-values`. */
  readonly knownValues?: (value: string) => boolean
  /** Whether a person reads the text or a tool gets it. Default `chat`. */
  readonly channel?: OutputChannel
  /** Names that installs are compared with. Default about 300 of npm, PyPI and crates.io. */
  readonly popularPackages?: readonly string[]
  /** Default all. */
  readonly checks?: readonly OutputCheck[]
}
