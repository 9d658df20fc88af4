import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { points, words } from '../ui/format'
import { A } from '../ui/link'
import { Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { isMissing } from './missing'

type Explanation = Data<'/trust/scores/explain'>

/** Rows of each kind that are shown here; the rest is on the page of the score. */
const most = 7

/** The page where a signal's evidence comes from. */
const places: Readonly<Record<string, string>> = {
  security: '/aegis/posture',
  compliance: '/compliance/controls',
  risk: '/risk/register',
  resilience: '/modules',
  ai_governance: '/gateway/policies',
}

export function RaisePanel({ className }: { readonly className: string }) {
  const explained = useOne('/trust/scores/explain')
  return (
    <Panel title="Ways to raise the score" className={className}>
      {isMissing(explained.error) && explained.data === undefined ? (
        <Empty title="Nothing to explain yet" icon="trust" />
      ) : (
        <Loaded query={explained} lines={6}>
          {({ data }) => <Ways explanation={data} />}
        </Loaded>
      )}
    </Panel>
  )
}

function Ways({ explanation: { actions, caps, missing } }: { readonly explanation: Explanation }) {
  const capped = caps.filter(({ active, lift_gain }) => active && lift_gain > 0)
  const gains = actions.filter(({ max_gain }) => max_gain > 0).slice(0, most)
  const absent = new Map(missing.map(({ signal, reason }) => [signal, reason]))
  if (capped.length + gains.length === 0) return <Empty title="Every signal is at its best" />
  return (
    <ul className="list-plain">
      {capped.map(({ cap, lift_gain }) => (
        <Way key={cap} name={`End the cap “${words(cap)}”`} gain={lift_gain} href="/gateway/kill-switches" />
      ))}
      {gains.map(({ signal, pillar, max_gain }) => (
        <Way key={signal} name={toDo(signal, absent.get(signal))} gain={max_gain} href={places[pillar] ?? '/trust'} />
      ))}
    </ul>
  )
}

/** Evidence that is not there is collected; what is there gets better. */
function toDo(signal: string, missing: 'never_observed' | 'expired' | undefined): string {
  const name = words(signal).replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
  if (missing === undefined) return `Improve ${name}`
  return missing === 'expired' ? `Renew evidence of ${name}` : `Collect evidence of ${name}`
}

function Way({ name, gain, href }: { readonly name: string; readonly gain: number; readonly href: string }) {
  return (
    <li className="way">
      <A href={href}>{name}</A>
      <span className="badge number" data-tone="good">{`up to +${points(gain)}`}</span>
    </li>
  )
}
