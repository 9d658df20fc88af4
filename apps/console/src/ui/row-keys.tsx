/**
 * The keys j and k in a list: to the next and the previous row, or to its detail while one is open. They can be switched
 * off, because single keys get in the way of speech input (WCAG 2.1.4).
 */
import { type RefObject, useLayoutEffect, useState } from 'react'
import { nextRow } from './next-row'

const storeKey = 'parapet.row-keys'
const steps: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1 }

interface RowKeys {
  /** Element that holds the rows' links. */
  readonly box: RefObject<HTMLElement | null>
  readonly hrefs: readonly string[]
  /** Place of the row whose detail is open; -1 for none. */
  readonly openAt: number
  readonly onOpen: (href: string) => void
}

/** @returns whether the keys are on, and how to switch them */
export function useRowKeys({ box, hrefs, openAt, onOpen }: RowKeys): readonly [boolean, () => void] {
  const [on, setOn] = useState(() => localStorage.getItem(storeKey) !== 'off')
  // With the rows themselves: a key that is pressed as soon as they are seen counts.
  useLayoutEffect(() => {
    if (!on) return
    const press = (event: KeyboardEvent): void => {
      const step = steps[event.key]
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (openAt !== -1) {
        const href = hrefs[nextRow(openAt, step, hrefs.length)]
        if (href !== undefined) onOpen(href)
        return
      }
      const links = [...(box.current?.querySelectorAll<Element>('a.row-link') ?? [])]
      const at = document.activeElement === null ? -1 : links.indexOf(document.activeElement)
      const next = links[nextRow(at, step, links.length)]
      if (next instanceof HTMLElement) next.focus()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [on, box, hrefs, openAt, onOpen])
  const toggle = (): void => {
    localStorage.setItem(storeKey, on ? 'off' : 'on')
    setOn(!on)
  }
  return [on, toggle]
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

export function RowKeysSwitch({ on, onToggle }: { readonly on: boolean; readonly onToggle: () => void }) {
  return (
    <button type="button" className="button tiny quiet" aria-pressed={on} onClick={onToggle}>
      {on ? 'Keys j and k are on' : 'Keys j and k are off'}
    </button>
  )
}
