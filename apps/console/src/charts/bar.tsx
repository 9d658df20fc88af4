import type { ReactNode } from 'react'
import { A } from '../ui/link'

interface BarProps {
  readonly name: ReactNode
  /** 0 to 100. */
  readonly value: number | null
  readonly shown: string
  readonly href?: string
  readonly tone?: 'accent' | 'bad' | 'violet' | 'warn'
}

/** A share of 0 to 1 in a cell. */
export function Meter({ share, shown }: { readonly share: number; readonly shown: string }) {
  return (
    <span className="meter">
      <span className="bar-track" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span className="number">{shown}</span>
    </span>
  )
}

/** A named value as a bar with its number. */
export function Bar({ name, value, shown, href, tone = 'accent' }: BarProps) {
  const inside = (
    <>
      <span className="bar-name">{name}</span>
      <span className="bar-track" aria-hidden="true">
        <i data-tone={tone} style={{ width: `${Math.max(0, Math.min(100, value ?? 0))}%` }} />
      </span>
      <span className="number">{shown}</span>
    </>
  )
  if (href === undefined) return <div className="bar">{inside}</div>
  return (
    <A href={href} className="bar">
      {inside}
    </A>
  )
}
