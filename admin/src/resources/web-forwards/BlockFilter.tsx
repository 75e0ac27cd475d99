import Close from '@mui/icons-material/Close'
import IconButton from '@mui/material/IconButton'
import { useFilter } from '../../list/filters.tsx'

/** Shows that the list has only the forwards that a blocked target stops, with a button to show all. */
export function BlockFilter() {
  const { filter, change } = useFilter()
  if (typeof filter['blocked_target_id'] !== 'string') return null
  return (
    <div className="owner-filter">
      Stopped by a blocked target
      <IconButton
        aria-label="Show the web forwards to all targets"
        onClick={() => change({ blocked_target_id: undefined })}
      >
        <Close fontSize="inherit" />
      </IconButton>
    </div>
  )
}
