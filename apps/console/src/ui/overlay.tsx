import * as Radix from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'
import { Icon } from './icons'
import { Boundary } from './panel'

interface DialogProps {
  readonly title: string
  /** Says what will happen. */
  readonly says: ReactNode
  readonly open: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

export function Dialog({ title, says, open, onClose, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content className="dialog stack">
          <Radix.Title asChild>
            <h1>{title}</h1>
          </Radix.Title>
          <Radix.Description className="soft">{says}</Radix.Description>
          <Boundary>{children}</Boundary>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface DrawerProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The detail of a row, beside its list; it has an address of its own. */
export function Drawer({ title, onClose, children }: DrawerProps) {
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content className="drawer" aria-describedby={undefined}>
          <header>
            <Radix.Title asChild>
              <h1>{title}</h1>
            </Radix.Title>
            <Radix.Close className="button quiet" aria-label="Close">
              <Icon name="cross" />
            </Radix.Close>
          </header>
          <div className="stack">
            <Boundary>{children}</Boundary>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
