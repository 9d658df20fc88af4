import { parseArgs } from 'node:util'
import type { Channel } from '../src/base/finding.ts'

export interface EvalArguments {
  readonly files: readonly string[]
  readonly json: boolean
  readonly channel: Channel | 'auto'
  /** Instead of the flag threshold of the policy `balanced`. */
  readonly threshold: number | undefined
  readonly latency: boolean
  readonly help: boolean
}

/** The command's arguments are invalid; the message says why. */
export class UsageError extends Error {}

export const usage = `detect-eval --data <file.jsonl> [--data <file.jsonl> ...] [options]

Measures the detectors on labeled rows, one JSON object a line:
  {"text": "...", "label": 0 or 1, "kind": "...", "source": "..."}             injection
  {"text": "...", "spans": [{"start", "end", "type", "country"}]}              personal data
  {"text_b64": "...", "kind": "...", "spans": [{"start", "end", "type"}]}      secrets

  --json               prints JSON instead of tables
  --channel <name>     user, document or auto: by the kind of a row (default auto)
  --threshold <score>  flags from this score, 0 to 1 (default: the policy balanced)
  --no-latency         leaves the time measurement out
  --help               prints this text
`

/**
 * Reads the arguments of the command.
 * @throws UsageError when they are not understood.
 */
export function parseArguments(args: readonly string[]): EvalArguments {
  const { data = [], json, channel, threshold, 'no-latency': noLatency, help } = parsed(args)
  if (data.length === 0 && !help) throw new UsageError('no --data file is named')
  return {
    files: data,
    json,
    channel: channelOf(channel),
    threshold: threshold === undefined ? undefined : scoreOf(threshold),
    latency: !noLatency,
    help,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        data: { type: 'string', multiple: true },
        json: { type: 'boolean', default: false },
        channel: { type: 'string', default: 'auto' },
        threshold: { type: 'string' },
        'no-latency': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'the arguments cannot be read', { cause })
  }
}

function channelOf(name: string): EvalArguments['channel'] {
  if (name === 'user' || name === 'document' || name === 'auto') return name
  throw new UsageError(`--channel is user, document or auto, not ${name}`)
}

function scoreOf(text: string): number {
  const score = Number(text)
  if (text.trim() !== '' && score >= 0 && score <= 1) return score
  throw new UsageError(`--threshold is a number from 0 to 1, not ${text}`)
}
