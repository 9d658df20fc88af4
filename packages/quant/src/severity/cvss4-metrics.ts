import type { MetricDefinition, MetricGroup, VectorFormat } from './vector.ts'

/** Metrics of CVSS 4.0 in the mandatory order of the specification (table 23). */
const table: readonly (readonly [MetricGroup, string])[] = [
  ['base', 'AV:N A L P'],
  ['base', 'AC:L H'],
  ['base', 'AT:N P'],
  ['base', 'PR:N L H'],
  ['base', 'UI:N P A'],
  ['base', 'VC:H L N'],
  ['base', 'VI:H L N'],
  ['base', 'VA:H L N'],
  ['base', 'SC:H L N'],
  ['base', 'SI:H L N'],
  ['base', 'SA:H L N'],
  ['threat', 'E:X A P U'],
  ['environmental', 'CR:X H M L'],
  ['environmental', 'IR:X H M L'],
  ['environmental', 'AR:X H M L'],
  ['environmental', 'MAV:X N A L P'],
  ['environmental', 'MAC:X L H'],
  ['environmental', 'MAT:X N P'],
  ['environmental', 'MPR:X N L H'],
  ['environmental', 'MUI:X N P A'],
  ['environmental', 'MVC:X H L N'],
  ['environmental', 'MVI:X H L N'],
  ['environmental', 'MVA:X H L N'],
  ['environmental', 'MSC:X H L N'],
  ['environmental', 'MSI:X S H L N'],
  ['environmental', 'MSA:X S H L N'],
  ['supplemental', 'S:X N P'],
  ['supplemental', 'AU:X N Y'],
  ['supplemental', 'R:X A U I'],
  ['supplemental', 'V:X D C'],
  ['supplemental', 'RE:X L M H'],
  ['supplemental', 'U:X Clear Green Amber Red'],
]

export const cvss4Format: VectorFormat = {
  prefix: 'CVSS:4.0',
  metrics: table.map(([group, text]) => parseDefinition(group, text)),
  order: 'fixed',
}

function parseDefinition(group: MetricGroup, text: string): MetricDefinition {
  const [name = '', values = ''] = text.split(':')
  return { group, name, values: values.split(' ') }
}
