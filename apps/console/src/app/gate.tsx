import { Outlet } from '@tanstack/react-router'
import { LiveProvider } from '../api/live'
import { useSession } from '../api/session'
import { useHere } from '../ui/link'
import { Dialog } from '../ui/overlay'
import { Loading } from '../ui/states'
import { Shell } from './shell'
import { SignInForm, SignInPage } from './sign-in'

/** Pages of links in letters, and of people who cannot sign in. */
const publicPage = /^\/(?:sign-in\/.+|reset|confirm-email)$/

const stay = (): void => undefined

/** The console for those who are signed in; a session that runs out leaves the page and asks over it. */
export function Gate() {
  const { state } = useSession()
  const here = useHere()
  if (publicPage.test(here)) return <Outlet />
  if (state.at === 'resuming') return <Loading label="Looking for your session" />
  // The API browser shows public documents.
  if (state.at === 'out' && here !== '/docs') return <SignInPage reason={state.reason} />
  if (state.at === 'out') return <Shell />
  return (
    <LiveProvider>
      <Shell />
      <Dialog
        title="Your session has ended"
        says="The page stays as it is. Sign in again to go on; what you typed is still there."
        open={state.at === 'expired'}
        onClose={stay}
      >
        {state.at === 'expired' ? <SignInForm email={state.me.user.email ?? ''} /> : null}
      </Dialog>
    </LiveProvider>
  )
}
