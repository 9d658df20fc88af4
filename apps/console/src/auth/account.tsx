import { useState } from 'react'
import { create, remove } from '../api/client'
import { useOne } from '../api/hooks'
import { hasPasskeys, newPasskey } from '../api/passkeys'
import type { Me } from '../api/session'
import { useChange } from '../api/use-change'
import { Badge } from '../ui/badge'
import { Facts } from '../ui/field'
import { moment, words } from '../ui/format'
import { Page, Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { EnrollTotp } from './enroll-totp'
import { FreshProblem } from './fresh-problem'
import { RecoveryCodes } from './recovery-codes'

export function AccountPage() {
  const me = useOne('/auth/me')
  return (
    <Page title="Your account" purpose="Your profile and the ways in which you prove that it is you.">
      <Loaded query={me} lines={7}>
        {({ data }) => (
          <div className="grid">
            <Panel title="Profile" className="six">
              <Facts
                rows={[
                  ['Name', data.user.display_name],
                  ['E-mail', data.user.email],
                  ['Roles', data.roles.map(words).join(', ')],
                  ['Tenant', data.tenant.name],
                  ['Signed in by', data.amr.join(', ')],
                  ['Time zone', data.time_zone],
                ]}
              />
            </Panel>
            <Panel title="Second factors" className="six">
              <Factors me={data} />
            </Panel>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

type Act = 'passkey' | 'codes' | { readonly remove: string }

function Factors({ me: { factors, mfa, recovery_codes_left: left } }: { readonly me: Me }) {
  const [adding, setAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const act = useChange(
    async (wanted: Act) => {
      if (wanted === 'passkey') setCodes(await addPasskey())
      else if (wanted === 'codes')
        setCodes((await create('/auth/mfa/recovery-codes', { body: undefined })).data.recovery_codes)
      else await remove('/auth/mfa/{factor_id}', { params: { factor_id: wanted.remove } })
    },
    ['/auth/me'],
  )
  if (codes !== null && codes.length > 0) return <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
  if (adding)
    return (
      <EnrollTotp
        onDone={() => {
          setAdding(false)
          void act.renew()
        }}
      />
    )
  return (
    <div className="stack">
      {act.error === null ? null : <FreshProblem error={act.error} onFresh={act.reset} byCode={mfa.enrolled} />}
      {factors.length === 0 ? (
        <Empty title={mfa.required ? 'Your tenant requires a second factor' : 'No second factor'} icon="iam">
          {mfa.deadline === null ? null : <p>{`Without one you can sign in until ${moment(mfa.deadline)}.`}</p>}
        </Empty>
      ) : (
        <FactorTable factors={factors} busy={act.isPending} onRemove={(id) => act.mutate({ remove: id })} />
      )}
      <div className="row">
        <button type="button" className="button main" onClick={() => setAdding(true)}>
          Add an authenticator app
        </button>
        {hasPasskeys() ? (
          <button type="button" className="button" disabled={act.isPending} onClick={() => act.mutate('passkey')}>
            Add a passkey
          </button>
        ) : null}
        {factors.length === 0 ? null : (
          <button type="button" className="button" disabled={act.isPending} onClick={() => act.mutate('codes')}>
            {`Make new recovery codes (${left} left)`}
          </button>
        )}
      </div>
    </div>
  )
}

async function addPasskey(): Promise<readonly string[]> {
  const { data: options } = await create('/auth/passkeys/registration-options', { body: {} })
  const { data } = await create('/auth/passkeys', { body: { credential: await newPasskey(options) } })
  return data.recovery_codes ?? []
}

interface TableProps {
  readonly factors: Me['factors']
  readonly busy: boolean
  readonly onRemove: (id: string) => void
}

function FactorTable({ factors, busy, onRemove }: TableProps) {
  return (
    <Table
      label="Second factors"
      rows={factors}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Name', show: ({ name }) => name },
        {
          name: 'Kind',
          show: ({ kind }) => <Badge value="approved" label={kind === 'totp' ? 'Authenticator app' : 'Passkey'} />,
        },
        { name: 'Added', show: ({ created_at }) => moment(created_at) },
        { name: 'Last used', show: ({ last_used_at }) => (last_used_at === null ? 'Not yet' : moment(last_used_at)) },
        {
          name: 'Remove',
          show: ({ id, name }) => (
            <button
              type="button"
              className="button tiny"
              aria-label={`Remove ${name}`}
              disabled={busy}
              onClick={() => onRemove(id)}
            >
              Remove
            </button>
          ),
        },
      ]}
    />
  )
}
