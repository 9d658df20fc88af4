import { Badge } from '../ui/badge'
import { whole, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const userChannels = ['iam.user.']
const roleChannels = ['iam.role.']
const keyChannels = ['iam.api_key.']
const sessionChannels = ['iam.session.']

export function UsersPage() {
  return (
    <ListPage
      title="Users"
      purpose="People and service accounts, their role, and how they prove who they are."
      path="/iam/users"
      channels={userChannels}
      keyOf={({ id }) => id}
      filters={[
        {
          name: 'status',
          label: 'Status',
          options: ['invited', 'active', 'suspended', 'locked', 'deactivated', 'erased'],
        },
        { name: 'type', label: 'Kind', options: ['human', 'service'] },
        { name: 'q', label: 'E-mail or name', text: true },
      ]}
      columns={[
        { name: 'Name', show: ({ display_name, email }) => display_name ?? email ?? '–' },
        { name: 'E-mail', clip: true, show: ({ email }) => email ?? '–' },
        { name: 'Kind', show: ({ type }) => words(type) },
        { name: 'Role', show: ({ role }) => words(role) },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        {
          name: 'Second factor',
          show: ({ mfa }) =>
            mfa.enrolled ? (
              <Badge value="approved" label={mfa.methods.map(words).join(', ')} />
            ) : (
              <Badge value={mfa.required ? 'failed' : 'none'} label={mfa.required ? 'Required' : 'None'} />
            ),
        },
        { name: 'Managed by', show: ({ managed_by }) => words(managed_by) },
        { name: 'Last active', show: ({ last_active_at }) => <Ago at={last_active_at} /> },
      ]}
      empty={<Empty title="Nobody yet" icon="iam" />}
    />
  )
}

export function RolesPage() {
  return (
    <ListPage
      title="Roles"
      purpose="Named sets of permissions, and how many people hold them."
      path="/iam/roles"
      channels={roleChannels}
      keyOf={({ id }) => id}
      filters={[
        { name: 'builtin', label: 'Built in', options: ['true', 'false'] },
        { name: 'q', label: 'Name', text: true },
      ]}
      columns={[
        { name: 'Role', show: ({ name }) => name },
        { name: 'Built in', show: ({ builtin }) => (builtin ? 'Yes' : 'No') },
        {
          name: 'Permissions',
          show: ({ permissions }) => <span title={permissions.join('\n')}>{whole(permissions.length)}</span>,
          right: true,
        },
        { name: 'Holders', right: true, show: ({ user_count }) => whole(user_count) },
        { name: 'Description', clip: true, show: ({ description }) => description ?? '–' },
      ]}
      empty={<Empty title="No roles" icon="iam" />}
    />
  )
}

export function ApiKeysPage() {
  return (
    <ListPage
      title="API keys"
      purpose="Keys of programs, with their scopes and their last use. A key’s text is shown once, when it is made."
      path="/iam/api-keys"
      channels={keyChannels}
      keyOf={({ id }) => id}
      filters={[
        { name: 'status', label: 'Status', options: ['active', 'rotating', 'revoked', 'expired'] },
        { name: 'q', label: 'Name or beginning of the key', text: true },
      ]}
      columns={[
        { name: 'Name', show: ({ name }) => name },
        { name: 'Begins with', show: ({ prefix }) => <code>{prefix}</code> },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Scopes', clip: true, show: ({ scopes }) => scopes.join(', ') },
        { name: 'Last used', show: ({ last_used_at }) => <Ago at={last_used_at} /> },
        { name: 'From', show: ({ last_used_ip }) => last_used_ip ?? '–' },
        { name: 'Expires', show: ({ expires_at }) => (expires_at === null ? 'Never' : <Ago at={expires_at} />) },
      ]}
      empty={<Empty title="No keys" icon="iam" />}
    />
  )
}

export function SessionsPage() {
  return (
    <ListPage
      title="Sessions"
      purpose="Signed-in browsers and programs, by what they proved and from where."
      path="/iam/sessions"
      channels={sessionChannels}
      keyOf={({ id }) => id}
      filters={[{ name: 'status', label: 'Status', options: ['active', 'revoked', 'expired'] }]}
      columns={[
        { name: 'Began', show: ({ created_at, current }) => (current ? 'This session' : <Ago at={created_at} />) },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Signed in by', show: ({ created_via }) => words(created_via) },
        { name: 'Address', show: ({ ip, ip_country }) => `${ip ?? '–'} ${ip_country ?? ''}` },
        { name: 'Program', clip: true, show: ({ user_agent }) => user_agent ?? '–' },
        { name: 'Last seen', show: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
      ]}
      empty={<Empty title="No sessions" icon="iam" />}
    />
  )
}
