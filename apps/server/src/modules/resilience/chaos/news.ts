/**
 * News that instances tell each other about running experiments, over the change feed. News of another form are ignored:
 * an instance that does not understand a rule injects nothing.
 */
import Type from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { nullable } from '../../../kernel/schema/types.ts'
import { FaultBody } from '../declared/scenario-schema.ts'
import type { RuleSet } from './rules.ts'

/** A rule begins or goes on; the key is the experiment. */
export const rulesTopic = 'resilience.rules'
/** An experiment stops injecting; the key is the experiment, or `tenant` or `platform` for all of them. */
export const stopTopic = 'resilience.stop'

export const RuleNews = Type.Object({
  faults: Type.Array(FaultBody),
  percentage: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
  seed: Type.String(),
  requestPrefix: nullable(Type.String()),
})

export function announceRules(
  tx: Tx,
  { experimentId, faults, percentage, seed, requestPrefix }: RuleSet,
): Promise<void> {
  return tx.announce(rulesTopic, experimentId, { faults, percentage, seed, requestPrefix })
}

export function announceStop(tx: Tx, key: string): Promise<void> {
  return tx.announce(stopTopic, key)
}
