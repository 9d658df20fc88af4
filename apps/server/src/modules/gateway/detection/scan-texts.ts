import type { ThreadTask } from '../../../kernel/jobs/thread-task.ts'
import {
  type Finding,
  findSensitive,
  type InjectionText,
  type InjectionThresholds,
  type ScanResult,
  scanInjection,
} from './detectors.ts'

/** Texts to look at; what is not wanted is an empty list. */
export interface TextsToScan {
  readonly injection: readonly InjectionText[]
  readonly thresholds: InjectionThresholds
  readonly sensitive: readonly string[]
}

/** In the order of the texts. */
export interface ScannedTexts {
  readonly injection: readonly ScanResult[]
  readonly sensitive: readonly (readonly Finding[])[]
}

/** All detectors over the texts of one call. */
export const scanTexts: ThreadTask<TextsToScan, ScannedTexts> = {
  name: 'detect.scan',
  run: ({ injection, thresholds, sensitive }, { stopped }) => {
    const unlessStopped = <T, R>(look: (text: T) => R) => {
      return (text: T): R => {
        if (stopped()) throw new Error('Nobody waits for the texts any more')
        return look(text)
      }
    }
    return {
      injection: injection.map(unlessStopped((piece) => scanInjection(piece, thresholds))),
      sensitive: sensitive.map(unlessStopped(findSensitive)),
    }
  },
}
