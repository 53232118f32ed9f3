alter table parking.profiles
  drop constraint if exists profiles_approved_are_not_rejected,
  add constraint profiles_approved_are_not_rejected
    check (not is_approved or rejection_reason is null);

comment on constraint profiles_approved_are_not_rejected on parking.profiles is
  E'@status 409\n@de Dieses Konto ist freigegeben. Nehmen Sie die Freigabe zurück, um es abzulehnen.\nThis account is approved: take the approval back to reject it';
