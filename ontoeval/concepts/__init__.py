"""What a hierarchy says of its concepts: costs, relatedness, information and weights."""
