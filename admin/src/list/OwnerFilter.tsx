import Close from '@mui/icons-material/Close'
import IconButton from '@mui/material/IconButton'
import { useGetOne } from 'react-admin'
import type { AdminUser } from '../api/client.ts'
import { useFilter } from './filters.tsx'

interface OwnerFilterProps {
  /** What the list shows, in the plural. */
  readonly records: string
}

/** Shows the owner that the list is filtered by, with a button to remove the filter. */
export function OwnerFilter({ records }: OwnerFilterProps) {
  const { filter, change } = useFilter()
  const id = typeof filter['user_id'] === 'string' ? filter['user_id'] : undefined
  const { data } = useGetOne<AdminUser>(
    'users',
    { id: id ?? '' },
    { enabled: id !== undefined, retry: false, onError: () => undefined },
  )
  if (id === undefined) return null
  return (
    <div className="owner-filter">
      Owner: <strong>{data?.username ?? `account ${id}`}</strong>
      <IconButton
        aria-label={`Show the ${records} of all users`}
        onClick={() => change({ user_id: undefined })}
      >
        <Close fontSize="inherit" />
      </IconButton>
    </div>
  )
}
