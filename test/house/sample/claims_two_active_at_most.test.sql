do $$
declare
  v_spot constant uuid := house_test.spot_of(house_test.resident());
  v_windows constant uuid[] := array[
    house_test.window_of(v_spot, 1, 2),
    house_test.window_of(v_spot, 2, 3),
    house_test.window_of(v_spot, 3, 4)
  ];
  v_first uuid;
begin
  perform house_test.act_as(house_test.resident());
  v_first := house_test.claim(v_windows[1]);
  perform house_test.claim(v_windows[2]);

  assert house_test.refused_by('claims_two_active_at_most',
    format('select house_test.claim(%L)', v_windows[3])), 'a third active claim is not refused';

  perform api.update_claim(v_first, status => 'cancelled');
  perform house_test.claim(v_windows[3]);
end
$$;
