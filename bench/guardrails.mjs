// Processor time of one decision by 100 guardrails of a tenant, without I/O. Run by hand: node bench/guardrails.mjs
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const child = await startChild('bench/servers/guardrails.ts')
await child.stop()
const { us, guardrails, calls } = child
const round = (value) => Math.round(value * 10) / 10

report('guardrails', {
  bars: { 'microseconds of a decision by 100 guardrails': 300 },
  guardrails,
  calls_each_round: calls,
  microseconds: { best: round(Math.min(...us.all)), median: round(median(us.all)) },
  microseconds_of_one_guardrail: { best: round(Math.min(...us.one)), median: round(median(us.one)) },
})
