-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.
drop trigger meet_newcomers on parking.invitations;
drop function private.meet_newcomers();
