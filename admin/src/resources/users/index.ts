import { lazy } from 'react'
import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { UserList } from './UserList.tsx'

const UserEdit = lazy(() => import('./UserEdit.tsx'))

export const users = {
  name: 'users' satisfies ResourceName,
  list: UserList,
  edit: UserEdit,
  recordRepresentation: 'username',
} satisfies ResourceProps
