/**
 * The command `detect-eval`: labeled rows in, figures out.
 * Answers 0, 1 for a file or line that cannot be read, 2 for arguments that are not understood. Tested in cli.test.ts.
 */
import type { Detector } from '../src/detector.ts'
import { policies } from '../src/injection/policy.ts'
import { type EvalArguments, parseArguments, UsageError, usage } from './arguments.ts'
import { createEvaluation, type Evaluation } from './evaluation.ts'
import { readLines } from './read-lines.ts'
import { parseRow, RowError } from './rows.ts'
import { tablesOf } from './tables.ts'

export interface CliWorld {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Milliseconds, for latency. */
  readonly now: () => number
  readonly createDetector: () => Detector
}

/** Runs the command and gives its exit code. */
export async function runCli(args: readonly string[], world: CliWorld): Promise<number> {
  try {
    const options = parseArguments(args)
    if (options.help) {
      world.out(usage)
      return 0
    }
    return await evaluate(options, world)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    world.err(`detect-eval: ${error.message}\n\n${usage}`)
    return 2
  }
}

async function evaluate({ files, channel, threshold, json, latency }: EvalArguments, world: CliWorld): Promise<number> {
  const { flag, block } = policies.balanced
  const thresholds = { flag: threshold ?? flag, block }
  const evaluation = createEvaluation({ detector: world.createDetector(), channel, thresholds })
  let faults = 0
  for (const file of files) {
    try {
      faults += await addFile(file, evaluation, world)
    } catch (error) {
      world.err(`detect-eval: ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}\n`)
      return 1
    }
  }
  const report = evaluation.report(latency ? world.now : undefined)
  world.out(json ? `${JSON.stringify(report, null, 2)}\n` : tablesOf(report))
  // Figures over a part of a file must not pass for figures over all of it.
  if (faults > 0) world.err(`detect-eval: ${faults} lines were left out\n`)
  return faults > 0 ? 1 : 0
}

const mostFaultsNamed = 20

/** Adds the rows of a file and counts the lines that are none. */
async function addFile(file: string, evaluation: Evaluation, { err }: CliWorld): Promise<number> {
  let faults = 0
  for await (const { number, text } of readLines(file)) {
    try {
      evaluation.add(parseRow(text))
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      faults += 1
      if (faults <= mostFaultsNamed) err(`detect-eval: ${file}, line ${number}: ${error.message}\n`)
    }
  }
  return faults
}
