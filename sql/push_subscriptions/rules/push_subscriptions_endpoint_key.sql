comment on constraint push_subscriptions_endpoint_key on parking.push_subscriptions is
  E'@status 409\n@field endpoint\n@de Dieses Gerät wird gerade für jemand anderen angemeldet. Versuchen Sie es noch einmal.\nThis device is being subscribed by somebody else; try again';
