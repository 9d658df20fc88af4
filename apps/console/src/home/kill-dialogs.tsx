import { ProblemError } from '@parapet/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { create } from '../api/client'
import { Area, Choice, Field } from '../ui/field'
import { Dialog } from '../ui/overlay'
import { Problem } from '../ui/states'
import { type KillSwitch, scopeOf } from './kill-switch'

const scopes = ['tenant', 'provider', 'model', 'route', 'key', 'user', 'agent', 'tool'] as const
type Scope = (typeof scopes)[number]
/** As the API asks. */
const leastReason = 10

function useSwitchChange<T>(change: (input: T) => Promise<unknown>, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => path === '/gateway/kill-switches' })
      onDone()
    },
  })
}

export function ActivateDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog
      title="Stop model calls"
      says="New calls in this scope are refused with GW-010 on every instance at once, and running answers end."
      open={open}
      onClose={onClose}
    >
      <ActivateForm onDone={onClose} />
    </Dialog>
  )
}

function ActivateForm({ onDone }: { readonly onDone: () => void }) {
  const [scope, setScope] = useState<Scope>('tenant')
  const [value, setValue] = useState('')
  const [reason, setReason] = useState('')
  const stop = useSwitchChange(
    () =>
      create('/gateway/kill-switches', {
        body: { scope, level: 'hard', reason, ...(scope === 'tenant' ? {} : { value }) },
      }),
    onDone,
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    stop.mutate(undefined)
  }
  return (
    <form className="stack" onSubmit={submit}>
      {stop.error === null ? null : <Problem error={stop.error} />}
      <Choice label="Scope" value={scope} options={scopes} onChange={(next) => setScope(next as Scope)} />
      {scope === 'tenant' ? (
        <p className="notice">Ending a stop of the whole tenant takes a second person where there is one.</p>
      ) : (
        <Field label="Its name or id" required value={value} onChange={(event) => setValue(event.target.value)} />
      )}
      <Area
        label="Reason (10 characters or more, for the audit log)"
        required
        minLength={leastReason}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="row end">
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" className="button stop" disabled={stop.isPending || reason.length < leastReason}>
          Stop model calls
        </button>
      </div>
    </form>
  )
}

interface EndProps {
  readonly target: KillSwitch
  readonly onClose: () => void
}

export function EndDialog({ target, onClose }: EndProps) {
  return (
    <Dialog
      title="Let model calls go on"
      says={`Ends the stop of ${scopeOf(target)}: “${target.reason}”`}
      open
      onClose={onClose}
    >
      <EndForm target={target} onClose={onClose} />
    </Dialog>
  )
}

interface EndInput {
  readonly reason: string
  readonly token: string
}

function EndForm({ target, onClose }: EndProps) {
  const [reason, setReason] = useState('')
  const [token, setToken] = useState('')
  const end = useSwitchChange(
    ({ reason: why, token: confirm_token }: EndInput) =>
      create('/gateway/kill-switches/{kill_switch_id}/deactivate', {
        params: { kill_switch_id: target.id },
        body: { reason: why, ...(confirm_token === '' ? {} : { confirm_token }) },
      }),
    onClose,
  )
  const given = tokenIn(end.error)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    end.mutate({ reason, token: token === '' ? (given ?? '') : token })
  }
  return (
    <form className="stack" onSubmit={submit}>
      {end.error !== null && given === null ? <Problem error={end.error} /> : null}
      {given === null ? null : <SecondPerson token={given} />}
      <Area
        label="Reason (10 characters or more, for the audit log)"
        required
        minLength={leastReason}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        readOnly={given !== null}
      />
      {given === null ? (
        <Field
          label="Confirmation of a first person (optional)"
          hint="The text they were given, with the same reason as theirs."
          value={token}
          onChange={(event) => setToken(event.target.value.trim())}
        />
      ) : null}
      <div className="row end">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button main" disabled={end.isPending || reason.length < leastReason}>
          {given === null ? 'End the stop' : 'Confirm alone'}
        </button>
      </div>
    </form>
  )
}

function SecondPerson({ token }: { readonly token: string }) {
  const [copied, setCopied] = useState(false)
  const copy = (): void => void navigator.clipboard.writeText(token).then(() => setCopied(true))
  return (
    <div className="notice stack" role="alert">
      <strong>A second person has to confirm</strong>
      <span>
        Send this confirmation to another administrator, who ends the stop with it and the same reason within 15
        minutes. If you are the only one, confirm it yourself.
      </span>
      <code data-testid="confirm-token">{token}</code>
      <span className="row">
        <button type="button" className="button tiny" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      </span>
    </div>
  )
}

function tokenIn(error: unknown): string | null {
  if (!(error instanceof ProblemError)) return null
  const { confirm_token: token } = error.body
  return typeof token === 'string' ? token : null
}
