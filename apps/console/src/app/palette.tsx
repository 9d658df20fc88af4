import * as Radix from '@radix-ui/react-dialog'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useMe } from '../api/session'
import { useGo } from '../ui/link'
import { areas, docs } from './areas'
import { findPlaces, type Place } from './find-pages'
import { paletteEvent } from './palette-state'

const placesFor = (permissions: readonly string[]): readonly Place[] => [
  ...areas
    .filter(({ permission }) => permission === null || permissions.includes(permission))
    .flatMap(({ name, href, pages }) =>
      pages.length === 0 ? [{ name, where: '', href }] : pages.map((page) => ({ ...page, where: name })),
    ),
  { ...docs, where: '' },
]

/** Ctrl K or ⌘ K: go to a page by typing a part of its name. */
export function Palette() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const show = (): void => setOpen(true)
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((now) => !now)
    }
    window.addEventListener(paletteEvent, show)
    window.addEventListener('keydown', press)
    return () => {
      window.removeEventListener(paletteEvent, show)
      window.removeEventListener('keydown', press)
    }
  }, [])
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content className="dialog palette" aria-describedby={undefined}>
          <Radix.Title className="visually-hidden">Find a page</Radix.Title>
          <Finder onDone={() => setOpen(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Finder({ onDone }: { readonly onDone: () => void }) {
  const { permissions } = useMe()
  const go = useGo()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = findPlaces(placesFor(permissions), typed)
  const visit = (place: Place | undefined): void => {
    if (place === undefined) return
    onDone()
    go(place.href)
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') visit(found[at])
    if (step === undefined || found.length === 0) return
    event.preventDefault()
    setAt((at + step + found.length) % found.length)
  }
  return (
    <>
      <input
        role="combobox"
        aria-label="Name of a page"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        placeholder="Go to …"
        value={typed}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
      />
      <Found id={id} found={found} at={at} onVisit={visit} />
    </>
  )
}

interface FoundProps {
  readonly id: string
  readonly found: readonly Place[]
  readonly at: number
  readonly onVisit: (place: Place) => void
}

function Found({ id, found, at, onVisit }: FoundProps) {
  return (
    <div className="options" id={id} role="listbox" aria-label="Pages">
      {found.map((place, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the keyboard.
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the input (`aria-activedescendant`).
        <div
          key={place.href}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          onClick={() => onVisit(place)}
        >
          <span>{place.name}</span>
          <span className="where">{place.where}</span>
        </div>
      ))}
    </div>
  )
}
