import type { Conversation } from './conversation.ts'

const patchOp = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** Written after the vendor's description: `Add` and `Replace` with capitals, "False" as text, members in the value. */
export const entra: Conversation = {
  directory: 'Microsoft Entra ID',
  source: 'https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups',
  steps: [
    {
      what: 'tests the connection with a user that cannot exist',
      method: 'GET',
      path: '/Users?filter=userName eq "6f1c4f2e-0000-4000-8000-000000000000"',
      status: 200,
      answer: { totalResults: 0, Resources: [] },
    },
    {
      what: 'makes a user',
      method: 'POST',
      path: '/Users',
      body: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: 'Test_User_ab6490ee@entra.example',
        active: true,
        displayName: 'lennay',
        emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@entra.example' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
        roles: [],
        addresses: [{ type: 'work', streetAddress: '1 Way', formatted: '1 Way' }],
      },
      status: 201,
      answer: { active: true, externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef' },
      keep: 'user',
    },
    {
      what: 'finds it by its name in another case',
      method: 'GET',
      path: '/Users?filter=userName eq "test_user_AB6490EE@entra.example"',
      status: 200,
      answer: { totalResults: 1 },
    },
    {
      what: 'changes several attributes with one patch',
      method: 'PATCH',
      path: '/Users/{user}',
      body: {
        schemas: patchOp,
        Operations: [
          { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@entra.example' },
          { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
          { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
          { op: 'Add', path: `${enterprise}:department`, value: 'Research' },
          { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Town' },
        ],
      },
      status: 200,
      answer: {
        emails: [{ value: 'updated@entra.example', type: 'work', primary: true }],
        name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
        phoneNumbers: [{ type: 'mobile', value: '+1 555 0100' }],
        addresses: [{ type: 'work', locality: 'Town', streetAddress: '1 Way' }],
        [enterprise]: { department: 'Research' },
      },
    },
    {
      what: 'changes attributes without a path',
      method: 'PATCH',
      path: '/Users/{user}',
      body: {
        schemas: patchOp,
        Operations: [
          {
            op: 'Add',
            value: { displayName: 'Lennay T', 'name.givenName': 'Lennay', [`${enterprise}:employeeNumber`]: '12' },
          },
        ],
      },
      status: 200,
      answer: { displayName: 'Lennay T', name: { givenName: 'Lennay' }, [enterprise]: { employeeNumber: '12' } },
    },
    {
      what: 'looks for a group',
      method: 'GET',
      path: '/Groups?excludedAttributes=members&filter=displayName eq "Entra Readers"',
      status: 200,
      answer: { totalResults: 0 },
    },
    {
      what: 'makes a group',
      method: 'POST',
      path: '/Groups',
      body: {
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:Group',
          'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
        ],
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'Entra Readers',
        meta: { resourceType: 'Group' },
      },
      status: 201,
      answer: { displayName: 'Entra Readers' },
      keep: 'group',
    },
    {
      what: 'adds a member',
      method: 'PATCH',
      path: '/Groups/{group}',
      body: {
        schemas: patchOp,
        Operations: [{ op: 'Add', path: 'members', value: [{ $ref: null, value: '{user}' }] }],
      },
      status: 200,
      answer: { members: [{ value: '{user}' }] },
    },
    {
      what: 'asks whether the user is a member',
      method: 'GET',
      path: '/Groups?filter=id eq "{group}" and members eq "{user}"&attributes=id',
      status: 200,
      answer: { totalResults: 1 },
    },
    {
      what: 'removes the member, named in the value',
      method: 'PATCH',
      path: '/Groups/{group}',
      body: {
        schemas: patchOp,
        Operations: [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{user}' }] }],
      },
      status: 200,
    },
    {
      what: 'asks again',
      method: 'GET',
      path: '/Groups?filter=id eq "{group}" and members eq "{user}"',
      status: 200,
      answer: { totalResults: 0 },
    },
    {
      what: 'disables the user with a word for a boolean',
      method: 'PATCH',
      path: '/Users/{user}',
      body: { schemas: patchOp, Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
      status: 200,
      answer: { active: false },
    },
    { what: 'removes the group', method: 'DELETE', path: '/Groups/{group}', status: 204 },
    { what: 'removes the user', method: 'DELETE', path: '/Users/{user}', status: 204 },
    {
      what: 'finds it gone',
      method: 'GET',
      path: '/Users/{user}',
      status: 404,
      answer: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' },
    },
  ],
}
