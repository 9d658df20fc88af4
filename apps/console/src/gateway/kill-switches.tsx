import { useState } from 'react'
import { useMay } from '../api/session'
import { ActivateDialog, EndDialog } from '../home/kill-dialogs'
import { type KillSwitch, scopeOf } from '../home/kill-switch'
import { Badge } from '../ui/badge'
import { milliseconds, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['gateway.kill_switch.', 'aegis.kill_switch.']

export function KillSwitchesPage() {
  const may = useMay('gateway:admin')
  const [stopping, setStopping] = useState(false)
  const [ending, setEnding] = useState<KillSwitch | null>(null)
  return (
    <ListPage
      title="Kill switches"
      purpose="Stops of model calls, in force and past. A stop ends running answers, on every instance at once."
      path="/gateway/kill-switches"
      query={{ status: 'any' }}
      channels={channels}
      keyOf={({ id }) => id}
      filters={[{ name: 'status', label: 'Status', options: ['active', 'deactivated', 'expired'] }]}
      columns={[
        { name: 'Scope', show: (one) => scopeOf(one) },
        {
          name: 'Status',
          show: ({ status }) => <Badge value={status === 'active' ? 'blocked' : 'closed'} label={words(status)} />,
        },
        { name: 'Reason', clip: true, show: ({ reason }) => reason },
        { name: 'Began', show: ({ activated_at }) => <Ago at={activated_at} /> },
        { name: 'Ended', show: ({ deactivated_at }) => <Ago at={deactivated_at} /> },
        { name: 'Reached all in', right: true, show: ({ propagation }) => milliseconds(propagation.max_ms) },
        {
          name: 'Action',
          show: (one) =>
            may && one.status === 'active' ? (
              <button type="button" className="button tiny" onClick={() => setEnding(one)}>
                End it …
              </button>
            ) : null,
        },
      ]}
      empty={<Empty title="No stop was ever made" />}
      action={
        may ? (
          <button type="button" className="button stop" onClick={() => setStopping(true)}>
            Stop model calls …
          </button>
        ) : undefined
      }
      above={
        <>
          <ActivateDialog open={stopping} onClose={() => setStopping(false)} />
          {ending === null ? null : <EndDialog target={ending} onClose={() => setEnding(null)} />}
        </>
      }
    />
  )
}
