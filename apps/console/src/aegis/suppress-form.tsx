import { type FormEvent, useState } from 'react'
import { Area, Choice } from '../ui/field'

/** Days that a suppression may last; 90 is the most. */
const lives = ['1', '7', '30', '90']
const dayMs = 86_400_000
/** A suppression of the longest life ends a little earlier, because the server's clock may be behind this one. */
const marginMs = 60_000
export const leastReason = 10

export interface Suppression {
  readonly reason: string
  readonly expires_at: string
}

interface SuppressProps {
  readonly busy: boolean
  readonly onSuppress: (suppression: Suppression) => void
}

/** Hits like the alert's are counted and open no alert until the end. */
export function SuppressForm({ busy, onSuppress }: SuppressProps) {
  const [reason, setReason] = useState('')
  const [days, setDays] = useState('7')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const end = Date.now() + Number(days) * dayMs - marginMs
    onSuppress({ reason: reason.trim(), expires_at: new Date(end).toISOString() })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p className="small soft">
        Further hits of the same rule about the same things are counted without an alert until the suppression ends.
      </p>
      <Area
        label={`Reason (${leastReason} characters or more, for the audit log)`}
        required
        minLength={leastReason}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Choice label="Days until it ends" verbatim value={days} options={lives} onChange={setDays} />
      <div className="row end">
        <button type="submit" className="button main" disabled={busy || reason.trim().length < leastReason}>
          Suppress
        </button>
      </div>
    </form>
  )
}
