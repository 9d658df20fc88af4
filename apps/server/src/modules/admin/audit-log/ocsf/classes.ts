/**
 * The event classes of the Open Cybersecurity Schema Framework that audit entries are told in, with the ids of that
 * version. Tested in event.test.ts.
 */

/** Of the schema. User and role management are classes of their own since this version. */
export const ocsfVersion = '1.9.0'

const iam = { categoryUid: 3, categoryName: 'Identity & Access Management' } as const
const application = { categoryUid: 6, categoryName: 'Application Activity' } as const

interface EventClass {
  readonly categoryUid: number
  readonly categoryName: string
  readonly uid: number
  readonly caption: string
  readonly activities: Readonly<Record<string, readonly [id: number, caption: string]>>
}

const other = { other: [99, 'Other'] } as const

export const classes = {
  authentication: {
    ...iam,
    uid: 3002,
    caption: 'Authentication',
    activities: {
      logon: [1, 'Logon'],
      logoff: [2, 'Logoff'],
      service_ticket_renew: [5, 'Service Ticket Renew'],
      ...other,
    },
  },
  group_management: {
    ...iam,
    uid: 3006,
    caption: 'Group Management',
    activities: { delete: [5, 'Delete'], create: [6, 'Create'], update_group: [9, 'Update Group'], ...other },
  },
  user_management: {
    ...iam,
    uid: 3007,
    caption: 'User Management',
    activities: {
      create: [1, 'Create'],
      update: [2, 'Update'],
      delete: [3, 'Delete'],
      enable: [4, 'Enable'],
      disable: [5, 'Disable'],
      lock: [6, 'Lock'],
      unlock: [7, 'Unlock'],
      password_change: [8, 'Password Change'],
      password_reset: [9, 'Password Reset'],
      mfa_factor_enable: [12, 'MFA Factor Enable'],
      mfa_factor_disable: [13, 'MFA Factor Disable'],
      ...other,
    },
  },
  role_management: {
    ...iam,
    uid: 3008,
    caption: 'Role Management',
    activities: { create: [1, 'Create'], update: [2, 'Update'], delete: [3, 'Delete'], ...other },
  },
  api_activity: {
    ...application,
    uid: 6003,
    caption: 'API Activity',
    activities: { create: [1, 'Create'], read: [2, 'Read'], update: [3, 'Update'], delete: [4, 'Delete'], ...other },
  },
} as const satisfies Readonly<Record<string, EventClass>>

export type ClassName = keyof typeof classes
export type Activity<C extends ClassName> = keyof (typeof classes)[C]['activities'] & string

/** Members that the framework requires to identify the kind of event. */
export function classification(className: ClassName, activity: string): Readonly<Record<string, unknown>> {
  const { categoryUid, categoryName, uid, caption, activities }: EventClass = classes[className]
  const [activityId, activityName] = activities[activity] ?? other.other
  return {
    category_uid: categoryUid,
    category_name: categoryName,
    class_uid: uid,
    class_name: caption,
    activity_id: activityId,
    activity_name: activityName,
    type_uid: uid * 100 + activityId,
    type_name: `${caption}: ${activityName}`,
  }
}
