// Events a second through 200 detection rules, the shipped ones among them, with the state of their groups.
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const child = await startChild('bench/servers/rules.ts')
await child.stop()
const { seconds, events } = child
const best = (name) => Math.min(...seconds[name])

report('rules', {
  bars: { 'events a second through 200 rules with correlation state': 50_000 },
  rules: child.rules,
  groups_with_state: child.groups,
  hits: child.hits,
  events_a_second: { best: Math.round(events / best('rules')), median: Math.round(events / median(seconds.rules)) },
  times_the_floor: best('rules') / best('floor'),
})
