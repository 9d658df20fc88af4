/**
 * Runs the blocks of a simulation in threads. Promises the same losses for any number of threads, and that no thread is
 * kept from other work for longer than a chunk takes. Tested in simulations.test.ts.
 */
import { blockYears, stopCheckpoints } from '@parapet/quant'
import type { Kernel } from '../../../kernel/kernel.ts'
import { runBlocks } from './block-task.ts'
import type { EngineSettings } from './engine.ts'
import { countDone, type SharedLosses } from './shared-losses.ts'
import { meetsTarget } from './summary-task.ts'

/** How long a chunk of blocks is meant to keep a thread, and how many blocks that may be. */
const chunkMs = 150
const mostInChunk = 64
/** Between two reports of the progress. */
const reportMs = 500

export interface BlocksAsked {
  readonly key: string
  readonly settings: EngineSettings
  readonly losses: SharedLosses
  readonly signal: AbortSignal
  /** Told the share of all years that is done, at least once a second. */
  readonly progressed: (share: number) => Promise<void>
}

type Parts = Pick<Kernel, 'threads' | 'clock' | 'config'>

/** Runs until all blocks are done, the target is met or the signal aborts. Gives the number of years that count. */
export async function simulateBlocks(parts: Parts, asked: BlocksAsked): Promise<number> {
  const { iterations, inputs } = asked.settings
  const ends = inputs.target === null ? [iterations] : stopCheckpoints(blockYears, iterations)
  const state = { next: 0, chunk: 1, reportedMs: parts.clock.monotonic() }
  for (const years of ends) {
    const end = Math.ceil(years / blockYears)
    await Promise.all(Array.from({ length: lanesOf(parts) }, () => runLane(parts, asked, { state, end })))
    if (asked.signal.aborted) break
    if (years < iterations && (await isExactEnough(parts, asked, years))) return years
  }
  return iterations
}

/** Two chunks at a time at most: threads serve the calls of the gateway too. */
const lanesOf = ({ config }: Parts): number => Math.max(1, Math.min(2, config.threads))

interface Lane {
  readonly state: { next: number; chunk: number; reportedMs: number }
  readonly end: number
}

async function runLane(parts: Parts, asked: BlocksAsked, { state, end }: Lane): Promise<void> {
  const { key, settings, losses, signal } = asked
  while (state.next < end && !signal.aborted) {
    const from = state.next
    const to = Math.min(end, from + state.chunk)
    state.next = to
    const startedMs = parts.clock.monotonic()
    try {
      await parts.threads.run(runBlocks, { key, settings, losses, from, to }, { signal })
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    const nowMs = parts.clock.monotonic()
    const perBlockMs = (nowMs - startedMs) / (to - from)
    state.chunk = Math.max(1, Math.min(mostInChunk, 2 * state.chunk, Math.floor(chunkMs / Math.max(0.01, perBlockMs))))
    if (nowMs - state.reportedMs < reportMs) continue
    state.reportedMs = nowMs
    await asked.progressed(Math.min(0.99, (countDone(losses) * blockYears) / settings.iterations))
  }
}

async function isExactEnough(parts: Parts, { settings, losses, signal }: BlocksAsked, years: number): Promise<boolean> {
  try {
    return await parts.threads.run(meetsTarget, { inputs: settings.inputs, losses, years }, { signal })
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}
