// Step 6: a hub that was restored from a backup gives positions again. Another epoch tells the machines to read all.
import type { Migration } from './migration.ts'

/** Roles that got their rights before the column was there. The owner has them all. */
const GRANT_AGAIN = `do $$ declare given record; begin
  for given in select a.role_name from hub_access a join pg_roles r on r.rolname = a.role_name
    where a.can_write group by a.role_name
  loop execute format('grant update (epoch) on hub_projects to %I', given.role_name); end loop;
end $$`

export const HUB_EPOCH: Migration = {
  version: 6,
  name: 'hub-epoch',
  statements: [
    `alter table hub_projects add column epoch uuid not null default '00000000-0000-0000-0000-000000000000'`,
    GRANT_AGAIN,
  ],
}
