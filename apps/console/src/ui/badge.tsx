/** States as color, icon and word together. */
import { words } from './format'
import { Icon, type IconName } from './icons'

export type Tone = 'good' | 'warn' | 'bad' | 'violet' | 'accent' | 'plain'

const tones: Readonly<Record<string, readonly [Tone, IconName]>> = {
  ...marks('good', 'check', ['allowed', 'allow', 'completed', 'active', 'healthy', 'satisfied', 'pass', 'sanctioned']),
  ...marks('good', 'check', ['resolved', 'closed', 'approved', 'success', 'current', 'published', 'enabled', 'low']),
  ...marks('good', 'check', ['very_low', 'implemented', 'green', 'adopted', 'consumed']),
  ...marks('bad', 'stop', [
    'blocked',
    'block',
    'critical',
    'failed',
    'fail',
    'down',
    'dead',
    'banned',
    'not_satisfied',
  ]),
  ...marks('bad', 'stop', [
    'quarantined',
    'very_high',
    'expired',
    'revoked',
    'locked',
    'red',
    'refused',
    'suspended',
    'denied',
  ]),
  ...marks('warn', 'flag', ['flagged', 'flag', 'high', 'degraded', 'warn', 'new', 'in_review', 'expiring', 'amber']),
  ...marks('warn', 'flag', [
    'pending',
    'changed',
    'partially_satisfied',
    'discovered',
    'moderate',
    'incomplete',
    'planned',
    'partial',
  ]),
  ...marks('violet', 'hide', ['redacted', 'redact']),
  ...marks('accent', 'dot', ['medium', 'in_progress', 'triaged', 'running', 'queued', 'under_review', 'analyzed']),
}

function marks(tone: Tone, icon: IconName, names: readonly string[]): Record<string, readonly [Tone, IconName]> {
  return Object.fromEntries(names.map((name) => [name, [tone, icon] as const]))
}

export function toneOf(name: string): Tone {
  return tones[name]?.[0] ?? 'plain'
}

export function Badge({ value, label }: { readonly value: string; readonly label?: string }) {
  const [tone, icon] = tones[value] ?? (['plain', 'dot'] as const)
  return (
    <span className="badge" data-tone={tone} data-value={value}>
      <Icon name={icon} size={10} />
      {label ?? words(value)}
    </span>
  )
}
