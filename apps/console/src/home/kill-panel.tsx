import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readPage } from '../api/client'
import { useMay } from '../api/session'
import { A } from '../ui/link'
import { Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Ago } from '../ui/time'
import { ActivateDialog, EndDialog } from './kill-dialogs'
import { type KillSwitch, scopeOf } from './kill-switch'

export function KillPanel({ className }: { readonly className: string }) {
  const query = useQuery({
    queryKey: ['/gateway/kill-switches', 'active'],
    queryFn: ({ signal }) => readPage('/gateway/kill-switches', { signal, query: { limit: 50 } }),
  })
  const may = useMay('gateway:admin')
  const [stopping, setStopping] = useState(false)
  return (
    <Panel title="Kill switch" className={className} tools={<A href="/gateway/kill-switches">All switches</A>}>
      <Loaded query={query}>{({ data }) => <Active switches={data} may={may} />}</Loaded>
      {may ? (
        <p className="row end">
          <button type="button" className="button stop" onClick={() => setStopping(true)}>
            Stop model calls …
          </button>
        </p>
      ) : null}
      <ActivateDialog open={stopping} onClose={() => setStopping(false)} />
    </Panel>
  )
}

function Active({ switches, may }: { readonly switches: readonly KillSwitch[]; readonly may: boolean }) {
  const [ending, setEnding] = useState<KillSwitch | null>(null)
  if (switches.length === 0)
    return (
      <Empty title="Model calls are running" icon="check">
        <p>A kill switch ends traffic at once, running answers too.</p>
      </Empty>
    )
  return (
    <ul className="list-plain">
      {switches.map((one) => (
        <li key={one.id} className="problem">
          <strong>Stopped: {scopeOf(one)}</strong>
          <span>{one.reason}</span>
          <span className="row apart small">
            <Ago at={one.activated_at} />
            {may ? (
              <button type="button" className="button tiny" onClick={() => setEnding(one)}>
                End it …
              </button>
            ) : null}
          </span>
        </li>
      ))}
      {ending === null ? null : <EndDialog target={ending} onClose={() => setEnding(null)} />}
    </ul>
  )
}
